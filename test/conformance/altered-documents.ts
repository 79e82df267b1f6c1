type Document = Readonly<Record<string, unknown>>;

/** Copies of a document of the contract, each with one fault that the description rules out. */
export function brokenCopies(document: Document): readonly Document[] {
  const { items } = document;
  if (!Array.isArray(items)) return brokenObjects(document);
  const { items: _, ...withoutItems } = document;
  const [first, ...others] = items as Document[];
  const brokenItems = first === undefined ? [] : brokenObjects(first);
  return [
    withoutItems,
    { ...document, items: null },
    { ...document, items: {} },
    { ...document, items: [...others, 'x'] },
    ...brokenItems.map((item) => ({ ...document, items: [...others, item] })),
    ...('limit' in document
      ? [
          { ...document, limit: 0 },
          { ...document, limit: '20' },
        ]
      : []),
    ...('next_cursor' in document ? [{ ...document, next_cursor: '' }] : []),
  ];
}

function brokenObjects(document: Document): Document[] {
  const { type, ...withoutType } = document;
  const { id, ...withoutId } = document;
  return [
    withoutType,
    { ...document, type: `${String(type)}x` },
    ...(id === undefined ? [] : [withoutId, { ...document, id: 7 }, { ...document, id: null }]),
    ...('status_code' in document ? [{ ...document, status_code: 200.5 }] : []),
  ];
}

/** One of each type of JSON, and a text that is empty. */
const replacements: readonly unknown[] = [null, 1.5, '', 'x', true, [], {}];

/** Every copy of a value in which one part, at any depth, is left out or is something else. */
export function* alteredCopies(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, part] of Object.entries(value)) {
    const put = (other: unknown) => (isList ? value.with(Number(name), other) : { ...value, [name]: other });
    const { [name as keyof typeof value]: _, ...without } = value;
    yield isList ? value.toSpliced(Number(name), 1) : without;
    for (const replacement of replacements) yield put(replacement);
    for (const altered of alteredCopies(part)) yield put(altered);
  }
}
