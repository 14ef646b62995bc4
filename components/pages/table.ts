/** The pages. A new one is a folder, and a line here. */
import type { PageName, PageRequests } from '../../src/app/pages/pages.ts'
import { definePage, type DefinedPage } from './define-page.ts'
import { board } from './board/page.ts'
import { diff } from './diff/page.ts'
import { find } from './find/page.ts'
import { help } from './help/page.ts'
import { race } from './race/page.ts'
import { serve } from './serve/page.ts'
import { transcript } from './transcript/page.ts'
import { usage } from './usage/page.ts'

export const pageTable: { readonly [Name in PageName]: DefinedPage<PageRequests[Name]> } = {
  transcript: definePage(transcript),
  diff: definePage(diff),
  help: definePage(help),
  find: definePage(find),
  usage: definePage(usage),
  serve: definePage(serve),
  board: definePage(board),
  race: definePage(race),
}
