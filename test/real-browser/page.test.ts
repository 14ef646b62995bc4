/** The page of `zotui serve`, on the real server, as people use it: it pairs, lists, follows, answers and sends. */
import { expect, test } from 'vitest'
import { inChromium } from './browser.ts'
import { faults } from './faults.ts'
import { pageStatus, servedQuestion } from './page-hub.ts'
import { longCommand, pageRow, sampleBlocks, sampleRows, shortCommand } from './page-sample.ts'
import {
  answerInTerminal,
  expectSeen,
  newBrowser,
  openConversation,
  pageStage,
  pairedPage,
  useBuiltPage,
  useLink,
  type OpenedPage,
  type PageStage,
} from './page-stage.ts'

/** A server with one conversation in which something was said. */
async function oneConversation(at: string | null = null): Promise<PageStage> {
  const stage = await pageStage(at)
  stage.hub.setRows([pageRow()])
  stage.hub.setBlocks('c1', 0, sampleBlocks)
  stage.hub.setStatus('c1', pageStatus())
  return stage
}

const running = (output: string): string =>
  `<details><summary><b>bash</b></summary><div class="inside"><pre><code>${output}</code></pre></div></details>`

inChromium('pairing', () => {
  useBuiltPage()

  test('shows the number of the terminal, takes the secret out of the address, and goes on after a yes', async () => {
    const stage = await oneConversation()
    const opened = await newBrowser()
    await useLink(opened, stage)
    const { page, complaints, requests } = opened
    expect(page.url()).toBe(`${stage.address}/`)
    await expect
      .poll(() => stage.server.view().waiting)
      .toMatchObject([{ kind: 'pair', name: 'Pixel 8', role: 'steer' }])
    const [asked] = stage.server.view().waiting
    const number = asked?.kind === 'pair' ? asked.number : ''
    expect((await page.locator('.number').innerText()).replaceAll(/\D/g, '')).toBe(number)
    await answerInTerminal(stage, true)
    await expectSeen(page.getByRole('link', { name: /Fix the width/ }))
    await page.reload()
    await expectSeen(page.getByRole('link', { name: /Fix the width/ }))
    expect(complaints).toEqual([])
    expect(requests.filter(url => !url.startsWith(`${stage.address}/`))).toEqual([])
  })

  test('ends with a sentence after a no, and with a link that is used up', async () => {
    const stage = await oneConversation()
    const opened = await newBrowser()
    await useLink(opened, stage)
    const { page } = opened
    await answerInTerminal(stage, false)
    await expectSeen(page.getByRole('heading', { name: 'Refused' }))
    stage.server.act({ do: 'pair', role: 'view' })
    const link = stage.server.view().pairing?.link ?? ''
    stage.server.act({ do: 'pair', role: 'view' })
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('button', { name: 'Pair this device' }).click()
    await expectSeen(page.getByRole('heading', { name: 'This link is used up' }))
  })

  test('keeps a key that nobody can read out', async () => {
    const stage = await oneConversation()
    const { page } = await pairedPage(stage)
    const kept = await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>(resolve => {
        const opening = indexedDB.open('zotui')
        opening.addEventListener('success', () => resolve(opening.result))
      })
      const { key } = await new Promise<{ key: CryptoKeyPair }>(resolve => {
        const asked = database.transaction('device').objectStore('device').get('this')
        asked.addEventListener('success', () => resolve(asked.result))
      })
      const tried = await crypto.subtle.exportKey('jwk', key.privateKey).then(
        () => 'exported',
        () => 'refused',
      )
      return { tried, extractable: key.privateKey.extractable, texts: JSON.stringify(Object.entries(localStorage)) }
    })
    expect(kept).toEqual({ tried: 'refused', extractable: false, texts: '[]' })
  })

  test('says in one line what a browser lacks, and asks the server nothing', async () => {
    const stage = await oneConversation()
    const { page, requests } = await newBrowser()
    await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
    await page.goto(`${stage.address}/#pair=secret`)
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('This page works over https')
    expect(requests.filter(url => url.includes('/api/'))).toEqual([])
  })

  test('tells a browser that is not paired how to become so', async () => {
    const stage = await oneConversation()
    const { page } = await newBrowser()
    await page.goto(stage.address)
    await expectSeen(page.getByRole('heading', { name: 'Not paired' }))
  })

  test('a server that was started again lets the device in after a yes to a number that both show', async () => {
    const stage = await oneConversation()
    const { page } = await pairedPage(stage)
    await stage.restart()
    stage.hub.setRows([pageRow({ title: 'After the start' })])
    await expectSeen(page.getByRole('heading', { name: 'Compare this number' }))
    await expect.poll(() => stage.server.view().waiting.length).toBe(1)
    const [asked] = stage.server.view().waiting
    const number = asked?.kind === 'admit' ? asked.number : ''
    expect((await page.locator('.number').innerText()).replaceAll(/\D/g, '')).toBe(number)
    await answerInTerminal(stage, true)
    await expectSeen(page.getByRole('link', { name: /After the start/ }))
  })

  test('a device that is removed in the terminal sees that at once, and nothing more', async () => {
    const stage = await oneConversation()
    const { page } = await pairedPage(stage)
    stage.server.act({ do: 'revoke', device: stage.server.view().devices[0]?.id ?? '' })
    await expectSeen(page.getByRole('heading', { name: 'Not paired any more' }))
    await page.reload()
    await expectSeen(page.getByRole('heading', { name: 'Not paired' }))
  })
})

inChromium('the list', () => {
  useBuiltPage()

  test('puts what waits for the person first, and counts it in the title', async () => {
    const stage = await oneConversation()
    stage.hub.setRows(sampleRows(Date.now()))
    stage.hub.setQuestions('c1', [servedQuestion({ html: shortCommand, title: 'Run npm test?' })])
    const { page } = await pairedPage(stage)
    await expect.poll(() => page.title()).toBe('(1) zotui')
    const first = page.getByRole('link').first()
    expect(await first.innerText()).toContain('Run npm test?')
    stage.hub.setQuestions('c2', [servedQuestion({ id: 'q2', html: shortCommand })])
    await expect.poll(() => page.title()).toBe('(2) zotui')
    expect(await page.getByRole('region').count()).toBe(0)
    expect(await page.locator('section[data-group="Waits for you"] li').count()).toBe(2)
  })

  test('is gone through with j, k and Enter, and Escape comes back to it', async () => {
    const stage = await oneConversation()
    stage.hub.setRows(sampleRows(Date.now()))
    const { page } = await pairedPage(stage, { viewport: { width: 1440, height: 900 } })
    await expectSeen(page.getByRole('link', { name: /Fix the width/ }))
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expectSeen(page.getByRole('heading', { level: 1, name: 'Port the importer to streams' }))
    await page.keyboard.press('k')
    await expectSeen(page.getByRole('heading', { level: 1, name: 'Fix the width' }))
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Fix the width')
  })
})

inChromium('a conversation', () => {
  useBuiltPage()

  test('grows while it is looked at, and follows its end only for a reader who is there', async () => {
    const stage = await oneConversation()
    stage.hub.setBlocks(
      'c1',
      0,
      Array.from({ length: 50 }, (_, at) => `<p>Line ${at} of a conversation.</p>`),
    )
    const { page } = await openConversation(stage, 'Line 49 ')
    stage.hub.add('c1', '<p>One more line.</p>')
    await expectSeen(page.getByText('One more line.'))
    const isAtEnd = (): Promise<boolean> =>
      page.locator('.transcript').evaluate(each => each.scrollHeight - each.scrollTop - each.clientHeight < 3)
    await expect.poll(isAtEnd).toBe(true)
    await page.locator('.transcript').evaluate(each => each.scrollTo(0, 100))
    await expectSeen(page.getByRole('button', { name: 'To the end' }))
    stage.hub.add('c1', '<p>Out of sight.</p>')
    await expectSeen(page.locator('.to-end[data-new]'))
    expect(await page.locator('.transcript').evaluate(each => each.scrollTop)).toBe(100)
    await page.getByRole('button', { name: 'To the end' }).click()
    await expect.poll(isAtEnd).toBe(true)
  })

  test('is followed to its end while a lot comes at once', async () => {
    const stage = await oneConversation()
    const { page } = await openConversation(stage)
    for (let at = 0; at < 400; at += 1) {
      stage.hub.add('c1', `<p>Line ${at} of many.</p>`)
      if (at % 20 === 0) await page.evaluate(() => new Promise(requestAnimationFrame))
    }
    await expectSeen(page.getByText('Line 399 '))
    expect(await page.getByRole('button', { name: 'To the end' }).isVisible()).toBe(false)
    expect(await page.locator('.block').count()).toBeLessThanOrEqual(300)
  })

  test('keeps what is open and selected while a block grows', async () => {
    const stage = await oneConversation()
    stage.hub.setBlocks('c1', sampleBlocks.length, [running('one')])
    const { page } = await openConversation(stage)
    await page.locator('summary').last().click()
    await expectSeen(page.getByText('one', { exact: true }))
    stage.hub.setBlocks('c1', sampleBlocks.length, [running('one\ntwo')])
    await expect.poll(() => page.locator('details[open] code').last().innerText()).toBe('one\ntwo')
  })

  test('of any length has at most 300 blocks on the page, and gets the others when they are scrolled to', async () => {
    const stage = await oneConversation()
    stage.hub.setBlocks(
      'c1',
      0,
      Array.from({ length: 5000 }, (_, at) => `<p>Line ${at} of a long conversation.</p>`),
    )
    const { page } = await openConversation(stage, 'Line 4999 ')
    const transcript = page.locator('.transcript')
    for (let seen = 0; seen < 12; seen += 1) {
      await transcript.evaluate(each => each.scrollTo(0, 0))
      const asked = stage.hub.asked.length
      await expect
        .poll(async () => stage.hub.asked.length > asked || (await transcript.evaluate(each => each.scrollTop)) > 0)
        .toBe(true)
    }
    expect(await page.locator('.block').count()).toBeLessThanOrEqual(300)
    expect(stage.hub.asked.length).toBeGreaterThan(2)
    await page.getByRole('button', { name: 'To the end' }).click()
    await expectSeen(page.getByText('Line 4999 '))
    await page.keyboard.press('Home')
    await expectSeen(page.getByText('Line 0 '))
    expect(await page.locator('.block').count()).toBeLessThanOrEqual(300)
  })

  test('stays where it is while earlier blocks come in above', async () => {
    const stage = await oneConversation()
    stage.hub.setBlocks(
      'c1',
      0,
      Array.from({ length: 400 }, (_, at) => `<p>Line ${at} of a long conversation.</p>`),
    )
    const { page } = await openConversation(stage, 'Line 399 ')
    const place = async (): Promise<number> =>
      page.getByText('Line 345 ').evaluate(each => Math.round(each.getBoundingClientRect().top))
    await page.getByText('Line 345 ').evaluate(each => each.scrollIntoView())
    const before = await place()
    await expect.poll(() => page.getByText('Line 290 ').count()).toBe(1)
    expect(Math.abs((await place()) - before)).toBeLessThan(3)
  })

  test('shows the rest of something long piece by piece', async () => {
    const stage = await oneConversation()
    stage.hub.rest = (_block, piece) => ({ html: `<p>Piece ${piece}.</p>`, next: piece === 7 ? 8 : null })
    stage.hub.setBlocks('c1', 0, [
      '<p>Begin.</p><button class="more" type="button" data-rest="7">90 lines more</button><p>End.</p>',
    ])
    const { page } = await openConversation(stage, 'End.')
    await page.getByRole('button', { name: '90 lines more' }).click()
    await expectSeen(page.getByText('Piece 7.'))
    await page.getByRole('button', { name: 'more', exact: true }).click()
    await expect.poll(() => page.locator('.block').innerText()).toMatch(/Begin\.\s+Piece 7\.\s+Piece 8\.\s+End\./)
  })

  test('lets nothing in that the server does not make', async () => {
    const stage = await oneConversation()
    const hostile =
      '<p onclick="alert(1)">a</p><img src="x" onerror="alert(1)"><script>document.title = "run"</script><iframe src="/"></iframe><a href="javascript:alert(1)">b</a><form action="/"><input></form><svg onload="alert(1)"></svg><p>Fine.</p>'
    stage.hub.setBlocks('c1', 0, [hostile])
    const { page } = await openConversation(stage, 'Fine.')
    expect(await page.locator('.block').innerHTML()).toBe('<p>Fine.</p>')
  })

  test('whose process is gone says so, and takes nothing more', async () => {
    const stage = await oneConversation()
    const { page } = await openConversation(stage)
    stage.hub.setRows([pageRow({ isThere: false })])
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Prompt' }).getAttribute('placeholder'))
      .toBe('This conversation has ended.')
    expect(await page.getByRole('textbox', { name: 'Prompt' }).isDisabled()).toBe(true)
  })

  test('is found again under its session after another server has started', async () => {
    const stage = await oneConversation()
    const { page } = await openConversation(stage)
    await stage.restart()
    stage.hub.setRows([pageRow({ id: 'other' })])
    stage.hub.setBlocks('other', 0, ['<p>From the new server.</p>'])
    await answerInTerminal(stage, true)
    await expectSeen(page.getByText('From the new server.'))
  })
})

/** Stops what moves at its beginning: somebody may look at any moment of a transition, and axe sees the same one each time. */
async function standStill({ page, context }: OpenedPage): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Animation.enable')
  await session.send('Animation.setPlaybackRate', { playbackRate: 0 })
}

inChromium('a screen without a fault that axe finds', () => {
  useBuiltPage()

  const sizes = [
    { width: 390, height: 844 },
    { width: 820, height: 1180 },
    { width: 1440, height: 900 },
  ]
  test.each(sizes.flatMap(viewport => (['light', 'dark'] as const).map(colorScheme => ({ viewport, colorScheme }))))(
    '$viewport.width in $colorScheme',
    async options => {
      const stage = await pageStage()
      stage.hub.setRows(sampleRows(Date.now()))
      stage.hub.setBlocks('c1', 0, sampleBlocks)
      const models = [
        { id: 'sonnet', name: 'Sonnet' },
        { id: 'opus', name: 'Opus' },
      ]
      const queue = { entries: [{ id: 'e1', text: 'Then commit it.' }], paused: true }
      stage.hub.setStatus(
        'c1',
        pageStatus({ isWorking: true, activity: 'Running npm test', models, queue, watchers: ['a', 'b'] }),
      )
      const opened = await newBrowser(options)
      const { page } = opened
      await useLink(opened, stage)
      await standStill(opened)
      await expectSeen(page.locator('.number'))
      expect(await faults(page)).toEqual([])
      await answerInTerminal(stage, true)
      await expectSeen(page.getByRole('link', { name: /Fix the width/ }))
      await page.getByRole('link', { name: /Port the importer/ }).hover()
      expect(await faults(page)).toEqual([])
      await page.getByRole('link', { name: /Fix the width/ }).click()
      await expectSeen(page.getByText('Now I run the tests again'))
      stage.hub.setQuestions('c1', [servedQuestion({ html: longCommand, title: 'Run 120 commands?' })])
      await page.getByRole('button', { name: 'Review' }).hover()
      expect(await faults(page)).toEqual([])
      await page.getByRole('button', { name: 'Review' }).click()
      expect(await faults(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport.width)
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await expectSeen(page.getByRole('dialog'))
      expect(await faults(page)).toEqual([])
      expect(opened.complaints).toEqual([])
    },
  )
})

inChromium('a share', () => {
  useBuiltPage()

  test('shows its one conversation to a reader, who has no list and can do nothing', async () => {
    const stage = await oneConversation('https://zotui.example.com')
    stage.server.act({ do: 'share', session: 's1', endsAt: Date.now() + 60_000 })
    const { page, complaints } = await newBrowser()
    const link = stage.server.view().shares[0]?.link ?? ''
    await page.goto(link.replace(/^https?:\/\/[^/]+/, stage.address))
    await expectSeen(page.getByText('Now I run the tests again'))
    expect(page.url()).toBe(`${stage.address}/#/c/c1`)
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('textbox').count()).toBe(0)
    await page.reload()
    await expectSeen(page.getByText('Now I run the tests again'))
    stage.server.act({ do: 'end_share', share: stage.server.view().shares[0]?.id ?? '' })
    await expectSeen(page.getByRole('heading', { name: 'This link has ended' }))
    expect(complaints.filter(each => !each.includes('401'))).toEqual([])
  })
})
