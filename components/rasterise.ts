/**
 * Turns Ink's tree into rows. Ink's own rasteriser splits each visible text into cells in every frame; ours places whole lines
 * where yoga has put them. It has no overlaps, borders or wrapping.
 */
import type { DOMElement } from 'ink'
import { fitted, trusted, type Styled } from '../src/style/styled.ts'
import { displayWidth } from '../src/text/width.ts'

/** The rows of an element that Ink has laid out, none wider than the element. */
export function rasterise(element: DOMElement): Styled[] {
  const rows: Styled[] = []
  const columns = element.yogaNode?.getComputedWidth() ?? 0
  const height = element.yogaNode?.getComputedHeight() ?? 0
  for (let row = 0; row < height; row += 1) rows.push(trusted(''))
  for (const child of element.childNodes) if (child.nodeName !== '#text') place(child, 0, 0)
  return rows

  function place(node: DOMElement, left: number, top: number): void {
    if (!node.yogaNode || node.isHidden) return
    const x = left + node.yogaNode.getComputedLeft()
    const y = top + node.yogaNode.getComputedTop()
    if (node.nodeName === 'ink-text') put(linesOf(node, columns - x), x, y)
    else for (const child of node.childNodes) if (child.nodeName !== '#text') place(child, x, y)
  }

  function put(lines: readonly Styled[], x: number, y: number): void {
    for (const [index, line] of lines.entries()) {
      const before = rows[y + index]
      if (before === undefined) return
      const gap = x === 0 ? '' : ' '.repeat(Math.max(0, x - displayWidth(before)))
      rows[y + index] = before === '' && gap === '' ? line : trusted(before + gap + line)
    }
  }
}

type Drawn = { text: string; room: number; transform: DOMElement['internal_transform']; lines: readonly Styled[] }

/** The last result for each element. */
const known = new WeakMap<DOMElement, Drawn>()

function linesOf(node: DOMElement, room: number): readonly Styled[] {
  // Finished rows: see `Rows`.
  const { rows } = node.attributes
  const text = typeof rows === 'string' ? rows : textOf(node)
  const transform = node.internal_transform
  const last = known.get(node)
  if (last?.text === text && last.room === room && last.transform === transform) return last.lines
  const all = transformed(text, transform).split('\n').map(trusted)
  const lines = rows === undefined ? fitted(all, room) : all
  known.set(node, { text, room, transform, lines })
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
