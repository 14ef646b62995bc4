import { linesOfLive, type LiveZone } from '../regions.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { PageView } from '../pages/page.ts'

/** The content of the terminal: the live zone, or a page of the alternate screen. */
export type View = { kind: 'live'; zone: LiveZone } | { kind: 'page'; page: PageView }

/** The rows of a view from the top, as its components draw them. */
export function rowsOfView(view: View): readonly Styled[] {
  return view.kind === 'live' ? linesOfLive(view.zone) : view.page.rows()
}
