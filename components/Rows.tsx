import { createElement, memo, type ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'

type Props = {
  rows: readonly Styled[]
  /** Whether a blank row stands above them. */
  gap?: boolean
}

/**
 * Finished rows as one element of a fixed height. They are cut and measured already, so they are an attribute of the element and
 * not its text: yoga lays out again only when their number changes. Ink exports no component for this element, of which its
 * `Text` is made.
 */
export const Rows = memo(function Rows({ rows, gap = false }: Props): ReactNode {
  if (rows.length === 0 && !gap) return null
  const style = { height: rows.length, marginTop: gap ? 1 : 0, flexShrink: 0 }
  return createElement('ink-text', { style, rows })
})
