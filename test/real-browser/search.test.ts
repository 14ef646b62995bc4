/** The search of an exported page: it finds, opens, marks and goes on, by keyboard. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { transcriptOf } from '../../src/export/transcript.ts'
import type { Transcript } from '../../src/export/schema.ts'
import {
  accepted,
  answered,
  answering,
  call,
  chatAfter,
  ended,
  prompt,
  returns,
  stops,
  type Told,
} from '../conversation/events.ts'
import { sample } from '../export/sample.ts'
import { inChromium, openPage } from './browser.ts'

inChromium('the search', () => {
  test('begins with a slash, counts the matches and goes from one to the next', async () => {
    const { page } = await openPage(sample)
    await page.keyboard.press('/')
    await page.keyboard.type('parser.ts')
    expect(await count(page)).toBe('1 of 3')
    await page.keyboard.press('Enter')
    expect(await count(page)).toBe('2 of 3')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.press('Shift+Enter')
    expect(await count(page)).toBe('3 of 3')
    expect(await marked(page)).toEqual(['parser.ts', 'parser.ts', 'parser.ts'])
    await page.keyboard.press('Enter')
    expect(await count(page)).toBe('1 of 3')
  })

  test('opens the call that holds a match, and closes it with the search', async () => {
    const { page } = await openPage(sample)
    const before = await page.locator('details[open]').count()
    await page.getByRole('searchbox').fill('expected 3')
    expect(await count(page)).toBe('1 of 1')
    expect(await page.getByText('expected 3').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.locator('details[open]').count()).toBe(before)
    expect(await count(page)).toBe('')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  })

  test('finds words over the borders of colours, whatever their case', async () => {
    const { page } = await openPage(sample)
    await page.getByRole('searchbox').fill('CONST N =')
    expect(await count(page)).toBe('1 of 1')
    expect(await marked(page)).toEqual(['const n ='])
  })

  test('says when there is no match', async () => {
    const { page } = await openPage(sample)
    await page.getByRole('searchbox').fill('no such words')
    expect(await count(page)).toBe('no matches')
    expect(await marked(page)).toEqual([])
  })

  test('shows the match that it is at below its own bar', async () => {
    const { page } = await openPage(longSession(200, 2000))
    await page.getByRole('searchbox').fill('needle 150')
    await expect.poll(() => count(page)).toBe('1 of 2')
    const top = await page.evaluate(() => {
      const [range] = CSS.highlights.get('current') as unknown as Iterable<Range>
      return range?.getBoundingClientRect().top ?? -1
    })
    expect(top).toBeGreaterThan(60)
    expect(top).toBeLessThan(800)
  })
})

inChromium('a page of 50 MB', () => {
  test('opens, finds a word in its last call, and survives a search for a letter that is everywhere', async () => {
    const { page, complaints } = await openPage(longSession(2000, 25_000))
    expect(await page.locator('article').count()).toBe(2000)
    await page.getByRole('searchbox').fill('needle 1999')
    await expect.poll(() => count(page), { timeout: 20_000 }).toBe('1 of 2')
    await page.getByRole('searchbox').fill('e')
    await expect.poll(() => count(page), { timeout: 20_000 }).toBe('1 of 10000+')
    await page.keyboard.press('Enter')
    expect(await count(page)).toBe('2 of 10000+')
    await page.keyboard.press('Escape')
    expect(await count(page)).toBe('')
    expect(complaints).toEqual([])
  })
})

/** Turns of one call each, with an output of that many characters whose last line has a word of its own. */
function longSession(turns: number, characters: number): Transcript {
  const line = 'All work and no play makes the log a very long one.\n'
  const output = line.repeat(characters / line.length)
  const told: Told[] = []
  for (let at = 0; at < turns; at += 1) {
    told.push(
      prompt(`Look for needle ${String(at)}`),
      accepted,
      answering,
      answered(call('c1', 'bash', { command: 'make' })),
      stops('tool_use'),
      returns('c1', `${output}needle ${String(at)}\n`),
      ended,
    )
  }
  return transcriptOf(chatAfter(...told), { id: null, title: 'A long session', folder: null })
}

function count(page: Page): Promise<string> {
  return page.getByRole('status').innerText()
}

/** The texts that are marked as matches. */
function marked(page: Page): Promise<string[]> {
  return page.evaluate(() => [...((CSS.highlights.get('match') ?? []) as unknown as Iterable<Range>)].map(String))
}
