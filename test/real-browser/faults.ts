/** What axe finds on a page. */
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const { source: axe } = createRequire(import.meta.url)('axe-core') as { source: string }

/** In axe's words, with the first element that each is about. */
export async function faults(page: Page): Promise<string[]> {
  // The page's policy forbids script elements, and the debugger's own calls pass it.
  await page.evaluate(axe)
  return page.evaluate(async () => {
    type Found = { violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[] }
    const { violations } = await (globalThis as unknown as { axe: { run: () => Promise<Found> } }).axe.run()
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ''} ${nodes[0]?.failureSummary ?? ''}`,
    )
  })
}
