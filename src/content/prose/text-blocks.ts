import { isValidElement, type ReactElement, type ReactNode } from 'react'

/** A piece of a line: its text and its link. */
export interface Run {
  text: string
  bold: boolean
  href: string | null
}

interface Block {
  kind: 'heading' | 'text' | 'item'
  /** The bullet or number before an item. */
  mark: string
  runs: Run[]
}

/**
 * Converts a long text (content/*.mdx, which yields a tree of plain elements) into blocks for paper. Raises an error for anything that
 * paper cannot show, so that no sentence is lost.
 */
export function blocksOf(tree: ReactNode): Block[] {
  return elementsIn(tree).flatMap((element): Block[] => {
    const { children } = element.props
    if (element.type === 'h2' || element.type === 'h3') return [{ kind: 'heading', mark: '', runs: runsOf(children) }]
    if (element.type === 'p') return [{ kind: 'text', mark: '', runs: runsOf(children) }]
    if (element.type === 'ul' || element.type === 'ol') {
      const isNumbered = element.type === 'ol'
      return elementsIn(children).map((item, at) => ({
        kind: 'item',
        mark: isNumbered ? `${at + 1}.` : '•',
        runs: runsOf(item.props.children),
      }))
    }
    throw new Error(`<${String(element.type)}> cannot be set on paper.`)
  })
}

type Plain = ReactElement<{ children?: ReactNode; href?: string }>

/** Flattens fragments and drops line breaks between elements. */
function elementsIn(node: ReactNode): Plain[] {
  if (Array.isArray(node)) return node.flatMap(elementsIn)
  if (!isValidElement<Plain['props']>(node)) {
    if (typeof node === 'string' && node.trim() !== '') throw new Error(`Text outside of a paragraph: ${node}`)
    return []
  }
  return typeof node.type === 'symbol' ? elementsIn(node.props.children) : [node]
}

function runsOf(node: ReactNode, bold = false, href: string | null = null): Run[] {
  if (typeof node === 'string') return [{ text: node, bold, href }]
  if (Array.isArray(node)) return node.flatMap((each) => runsOf(each as ReactNode, bold, href))
  if (!isValidElement<Plain['props']>(node)) return []
  const { type, props } = node
  if (type === 'strong') return runsOf(props.children, true, href)
  if (type === 'a') return runsOf(props.children, bold, props.href ?? null)
  throw new Error(`<${String(type)}> cannot stand within a line on paper.`)
}
