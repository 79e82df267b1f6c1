/** The folders of the packages that files of the bundle come from, sorted. `modules` are the paths of these files. */
export function bundledPackages(modules: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of modules) {
    const match = /^([^\0]*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(path);
    if (match?.[1]) folders.add(match[1]);
  }
  return [...folders].sort();
}
