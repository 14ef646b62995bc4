/** An exported page as people read it: with nothing but its file, by keyboard, in light and dark, on paper. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { attacks, sessionOf } from '../export/attacks.ts'
import { sample } from '../export/sample.ts'
import { inChromium, openPage } from './browser.ts'
import { faults } from './faults.ts'

inChromium('a page', () => {
  test('loads nothing but itself, and its content policy refuses nothing of it', async () => {
    const { page, requests, complaints } = await openPage(sample)
    await page.getByRole('searchbox').fill('parser')
    await page.getByRole('button', { name: 'Open all' }).click()
    expect(requests).toEqual([page.url()])
    expect(complaints).toEqual([])
  })

  test('of a hostile session loads and runs nothing', async () => {
    for (const attack of attacks) {
      const { page, requests, complaints } = await openPage(sessionOf(attack))
      const dialogs: string[] = []
      page.on('dialog', dialog => {
        dialogs.push(dialog.message())
        void dialog.dismiss()
      })
      await page.getByRole('button', { name: 'Open all' }).click()
      expect({ attack, requests, complaints, dialogs }).toEqual({
        attack,
        requests: [page.url()],
        complaints: [],
        dialogs: [],
      })
      await page.close()
    }
  })

  test('refuses a script and an image that were written into it', async () => {
    const { page: first, file } = await openPage(sample)
    await first.close()
    const forged = readFileSync(file, 'utf8').replace(
      '<main>',
      '<main><script>document.title = "run"</script><img src="http://127.0.0.1:9/beacon.png">',
    )
    const { page, complaints } = await openPage(forged)
    await expect.poll(() => complaints.length).toBeGreaterThan(1)
    expect(await page.title()).not.toBe('run')
  })

  test('opens and closes a call by keyboard', async () => {
    const { page } = await openPage(sample)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('SUMMARY')
    expect(await openFolds(page)).toBe(1)
    await page.keyboard.press('Enter')
    expect(await openFolds(page)).toBe(2)
    await page.keyboard.press('Space')
    expect(await openFolds(page)).toBe(1)
  })

  test('opens and closes all calls, and the button says what it does next', async () => {
    const { page } = await openPage(sample)
    const all = await page.locator('details').count()
    await page.getByRole('button', { name: 'Open all' }).click()
    expect(await openFolds(page)).toBe(all)
    await page.getByRole('button', { name: 'Close all' }).click()
    expect(await openFolds(page)).toBe(0)
    await page.locator('summary').first().click()
    await page.getByRole('button', { name: 'Open all' }).click()
    expect(await openFolds(page)).toBe(all)
  })

  test.each(['light', 'dark'] as const)('in %s has no fault that axe finds', async colorScheme => {
    const { page } = await openPage(sample, { colorScheme })
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: 'Open all' }).click()
    await page.getByRole('searchbox').fill('parser')
    expect(await faults(page)).toEqual([])
  })

  test('fits a telephone', async () => {
    const { page } = await openPage(sample, { viewport: { width: 360, height: 640 } })
    await page.locator('details').evaluateAll(folds => {
      for (const fold of folds) (fold as HTMLDetailsElement).open = true
    })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    expect(await faults(page)).toEqual([])
  })

  test('can be scrolled by keyboard where a line is too long, and has no other stops', async () => {
    const { page } = await openPage(sample, { viewport: { width: 360, height: 640 } })
    const stops = (): Promise<string[]> => page.locator('pre[tabindex]').allInnerTexts()
    await expect.poll(stops).toEqual(['export const length = (s: string) => s.length\nexport const length = count'])
    await page.setViewportSize({ width: 1000, height: 640 })
    await expect.poll(stops).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'prints in dark letters on white from %s, with every line whole',
    async colorScheme => {
      const { page } = await openPage(sample, { colorScheme, viewport: { width: 360, height: 640 } })
      await page.getByRole('button', { name: 'Open all' }).click()
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByRole('searchbox').isVisible()).toBe(false)
      const colours = await page.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body)
        return { backgroundColor, color }
      })
      expect(colours).toEqual({ backgroundColor: 'rgb(255, 255, 255)', color: 'rgb(31, 35, 40)' })
      const cut = await page
        .locator('pre')
        .evaluateAll(blocks =>
          blocks.filter(block => block.scrollWidth > block.clientWidth).map(each => each.textContent),
        )
      expect(cut).toEqual([])
      const pdf = await page.pdf({ format: 'A4' })
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    },
  )

  test('reads the same without scripts', async () => {
    const { page } = await openPage(sample, { javaScriptEnabled: false })
    await expect.poll(() => page.getByText('Fixed.', { exact: true }).isVisible()).toBe(true)
    expect(await page.getByRole('searchbox').isVisible()).toBe(false)
  })
})

function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.tagName)
}

function openFolds(page: Page): Promise<number> {
  return page.locator('details[open]').count()
}
