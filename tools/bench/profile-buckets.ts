export interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}
interface Frame {
  functionName: string
  url: string
}

export type Bucket =
  | 'render'
  | 'database'
  | 'SQL building'
  | 'socket'
  | 'copying and hashing'
  | 'compressing'
  | 'garbage'
  | 'own code'
  | 'other'

interface Node {
  frame: Frame
  parent: number | undefined
}

export function callers({ nodes }: Profile): Map<number, Node> {
  const all = new Map<number, Node>(nodes.map(({ id, callFrame }) => [id, { frame: callFrame, parent: undefined }]))
  for (const { id, children } of nodes) for (const child of children ?? []) all.get(child)!.parent = id
  return all
}

/** Drizzle is part of our bundle (decision 0015), so match its function names. */
const isOfDrizzle = ({ functionName }: Frame) =>
  /^(buildQueryFromSourceParams|mergeQueries|sqlToQuery|toQuery|build(Select|Insert|Update|Delete)\w*|mapResultRow|getColumnCasing)$/.test(
    functionName,
  )

/** The first rule that matches the innermost frame applies. A frame without a rule belongs to its caller. Null: idle. */
const rules: [Bucket, (frame: Frame) => boolean][] = [
  ['garbage', ({ functionName }) => functionName === '(garbage collector)'],
  ['other', ({ functionName }) => functionName === '(program)' || functionName === '(root)'],
  ['SQL building', isOfDrizzle],
  [
    'copying and hashing',
    ({ functionName }) =>
      /^(\w*(Slice|Write|WriteStatic)|oneShotDigest|hash|update|digest|concat|fromStringFast|byteLengthUtf8)$/.test(functionName),
  ],
  ['compressing', ({ url, functionName }) => url === 'node:zlib' || /^(brotli|deflate|gzip|compress)/i.test(functionName)],
  [
    'socket',
    ({ url, functionName }) =>
      /^(writev|writeBuffer|write\w+String|shutdown|readStart)$/.test(functionName) ||
      /^node:(net|_http|http|internal\/(stream|net|http|streams))/.test(url),
  ],
  ['database', ({ url }) => /node_modules\/(pg|pg-pool|pg-protocol|pg-types|postgres-\w+)\//.test(url)],
  ['render', ({ url }) => /node_modules\/(react|react-dom|react-router|@react-router)\//.test(url)],
  ['own code', ({ url }) => /\/(build\/server|src)\//.test(url)],
]

export function bucketOf(id: number, all: Map<number, Node>): Bucket | null {
  for (let node = all.get(id); node; node = node.parent === undefined ? undefined : all.get(node.parent)) {
    const { frame } = node
    if (frame.functionName === '(idle)') return null
    const found = rules.find(([, holds]) => holds(frame))?.[0]
    if (found === 'own code') return callerOf(node, all)
    if (found) return found
  }
  return 'other'
}

/** React calls our components, and Drizzle calls anonymous functions of its own. */
function callerOf(from: Node, all: Map<number, Node>): Bucket {
  for (let node: Node | undefined = from; node; node = node.parent === undefined ? undefined : all.get(node.parent)) {
    if (isOfDrizzle(node.frame)) return 'SQL building'
    if (/node_modules\/react-dom\//.test(node.frame.url)) return 'render'
  }
  return 'own code'
}
