/**
 * Turns Ink's tree into rows. Ink's own rasteriser splits each visible text into cells in every frame; ours places whole lines
 * where yoga has put them. It has no overlaps, borders or wrapping.
 */
import type { DOMElement } from 'ink'
import { empty, fitted, joinStyled, type Styled } from '../../src/style/styled.ts'
import { linesOf, sanitizeTerminalOutput } from '../../src/text/sanitize.ts'
import { blanks } from '../../src/text/styled.ts'

/** The rows of an element that Ink has laid out, none wider than the element. */
export function rasterise(element: DOMElement): Styled[] {
  const rows: Styled[] = []
  const columns = element.yogaNode?.getComputedWidth() ?? 0
  const height = element.yogaNode?.getComputedHeight() ?? 0
  for (let row = 0; row < height; row += 1) rows.push(empty)
  for (const child of element.childNodes) if (child.nodeName !== '#text') place(child, 0, 0)
  return rows

  function place(node: DOMElement, left: number, top: number): void {
    if (!node.yogaNode || node.isHidden) return
    const x = left + node.yogaNode.getComputedLeft()
    const y = top + node.yogaNode.getComputedTop()
    if (node.nodeName === 'ink-text') put(finishedRows(node) ?? linesOfText(node, columns - x), x, y)
    else for (const child of node.childNodes) if (child.nodeName !== '#text') place(child, x, y)
  }

  function put(lines: readonly Styled[], x: number, y: number): void {
    for (const [index, line] of lines.entries()) {
      const before = rows[y + index]
      if (before === undefined) return
      rows[y + index] = before === empty && x === 0 ? line : joinStyled([before, blanks(x - before.width), line])
    }
  }
}

/** The rows that a `Rows` element comes with; null for any other. */
function finishedRows({ attributes }: DOMElement): readonly Styled[] | null {
  const { rows } = attributes as { rows?: readonly Styled[] }
  return rows ?? null
}

type Drawn = { text: string; room: number; lines: readonly Styled[] }

/** The last result for each element. */
const known = new WeakMap<DOMElement, Drawn>()

/** The lines of a text, without colours: Ink paints them as escape sequences, and ours come with finished rows. */
function linesOfText(node: DOMElement, room: number): readonly Styled[] {
  const text = transformed(textOf(node), node.internal_transform)
  const last = known.get(node)
  if (last?.text === text && last.room === room) return last.lines
  const lines = fitted(
    linesOf(sanitizeTerminalOutput(text)).map(line => joinStyled([line])),
    room,
  )
  known.set(node, { text, room, lines })
  return lines
}

/** The text of an element and its children, with the transform of each. */
function textOf(node: DOMElement): string {
  const [only] = node.childNodes
  if (node.childNodes.length === 1 && only?.nodeName === '#text') return only.nodeValue
  return node.childNodes
    .map(child =>
      child.nodeName === '#text'
        ? child.nodeValue
        : child.isHidden
          ? ''
          : transformed(textOf(child), child.internal_transform),
    )
    .join('')
}

function transformed(text: string, transform: DOMElement['internal_transform']): string {
  if (!transform || text === '') return text
  return text.split('\n').map(transform).join('\n')
}
