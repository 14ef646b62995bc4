/** The pages for people who use a screen reader, without the alternate screen. Nothing stays open. */
import type { MakePages } from '../../src/app/pages/pages.ts'
import type { DefinedPage } from './define-page.ts'
import type { SpokenLook } from './page.ts'
import { pageTable } from './table.ts'

export function createSpokenPages(look: SpokenLook): MakePages {
  return parts => ({
    open(name, request) {
      const page: DefinedPage<typeof request> = pageTable[name]
      page.spoken(request, parts, look)
    },
    perform: () => undefined,
    type: () => false,
    edit: () => false,
    close: () => undefined,
  })
}
