/**
 * The contrast of every text of a page with what is behind it, as WCAG defines it. Its source runs in a browser: it uses
 * nothing from outside. Colours with transparency are not expected.
 */
export const textContrasts = `() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isClear = (color) => channels(color)[3] === 0;
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (!isClear(color)) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim();
    if (text === '' || element.closest('svg') || element.getClientRects().length === 0) continue;
    const [light, dark] = [getComputedStyle(element).color, backgroundOf(element)]
      .map(luminance)
      .sort((a, b) => b - a);
    found.push({ text: text.slice(0, 40), contrast: (light + 0.05) / (dark + 0.05) });
  }
  return found;
}`;
