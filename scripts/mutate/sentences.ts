/**
 * Leaves sentences out of mutation testing: that a text for people became empty says nothing about logic, and the tests
 * that compare whole outputs run the built program. Shorter strings are codes, names and formats, and stay in.
 */
type Expression = { readonly type: string };
type Node = Expression & {
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  readonly expressions?: readonly Expression[];
};

const THREE_WORDS = /\p{L}\S* +\S+ +\S*\p{L}/u;

export const strykerPlugins = [
  { kind: 'Ignore', name: 'sentences', value: { shouldIgnore: ({ node }: { node: Node }) => reason(node) } },
];

function reason(node: Node): string | undefined {
  return THREE_WORDS.test(textOf(node)) ? 'a sentence' : undefined;
}

/** What is ignored, is ignored with everything in it; so a template counts only where nothing else is to be mutated. */
function textOf({ type, value, quasis = [], expressions = [] }: Node): string {
  if (type === 'StringLiteral') return String(value);
  if (type !== 'TemplateLiteral') return '';
  const plain = expressions.every((each) => each.type === 'Identifier' || each.type === 'MemberExpression');
  return plain ? quasis.map((quasi) => quasi.value.raw).join('x') : '';
}
