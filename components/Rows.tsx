import { createElement, type ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'

type Props = {
  rows: readonly Styled[]
  /** Whether a blank row stands above them. */
  gap?: boolean
}

/**
 * Finished rows as one element of a fixed height. They are cut and measured already, so they are an attribute of the element and
 * not its text: yoga lays out again only when their number changes. Ink exports no component for this element, of which its
 * `Text` is made. The components that use it are memoised, so it is not.
 */
export function Rows({ rows, gap = false }: Props): ReactNode {
  if (rows.length === 0 && !gap) return null
  return createElement('ink-text', { style: styleOf(rows.length, gap), rows })
}

type RowsStyle = { height: number; marginTop: number; flexShrink: number }

const styles = new Map<string, RowsStyle>()

/** The one object for a height, so that Ink compares the styles of unchanged heights by identity. */
function styleOf(height: number, gap: boolean): RowsStyle {
  const key = `${height} ${gap}`
  const style = styles.get(key) ?? { height, marginTop: gap ? 1 : 0, flexShrink: 0 }
  styles.set(key, style)
  return style
}
