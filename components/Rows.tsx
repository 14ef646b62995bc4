import { createElement, memo, type ReactNode } from 'react'
import type { Styled } from '../src/style/styled.ts'

type Props = {
  rows: readonly Styled[]
  /** Whether a blank row stands above them. */
  gap?: boolean
}

/**
 * Finished rows, as one element of a fixed height. They are cut and measured already: so they are an attribute and no text of
 * the element, and yoga lays out anew only where their number changes. It is the element that Ink's `Text` is made of, which has
 * no component of its own.
 */
export const Rows = memo(function Rows({ rows, gap = false }: Props): ReactNode {
  if (rows.length === 0 && !gap) return null
  const style = { height: rows.length, marginTop: gap ? 1 : 0, flexShrink: 0 }
  return createElement('ink-text', { style, rows })
})
