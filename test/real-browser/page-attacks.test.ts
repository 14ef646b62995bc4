/** Texts of an agent, of a project and of a device reach the page as text: they run nothing, load nothing, and cover nothing of it. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createHub } from '../../src/serve/hub/create-hub.ts'
import {
  accepted,
  answered,
  answering,
  call,
  ended,
  fails,
  fold,
  notes,
  prints,
  prompt,
  returns,
  says,
  stops,
  timed,
  type Told,
} from '../conversation/events.ts'
import { attacks as ofExport } from '../export/attacks.ts'
import { FakeProcess, waysTo } from '../serve/hub/fake-processes.ts'
import { questionOf, rowOf } from '../serve/hub/stage.ts'
import { inChromium } from './browser.ts'
import { commandQuestion } from './page-sample.ts'
import { pairedPage, serverStage, useBuiltPage, type OpenedPage } from './page-stage.ts'

const attacks = [
  ...ofExport,
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](vbscript:alert(1))',
  '[x](blob:https://example.com/1)',
  '[x]: javascript:alert(1)\n\n[x] ![x]',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe><object data="//example.com"></object><embed src="//example.com">',
  '<form action="//example.com"><button formaction="javascript:alert(1)">Allow once</button></form>',
  '<style>*{display:none}</style><link rel="stylesheet" href="//example.com/x.css">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><img src=x onerror=alert(1)></template><a autofocus tabindex=1 onfocus=alert(1)>',
  '<section class="question-card" data-open="true"><h2 id="question-title">Run ls?</h2><button class="button primary">Allow once</button></section>',
  '<div style="position:fixed;inset:0;z-index:99">Allow once</div>',
  '```html onload=alert(1) class="x"\n<script>alert(1)</script>\n```',
  "{{constructor.constructor('alert(1)')()}} ${alert(1)} <%= alert(1) %>",
  `\u202e<script>\u2066alert(1)\u0000\u001b[2J${'Z\u0301\u0302\u0303\u0304\u0305'.repeat(40)}`,
  'x'.repeat(2000),
]

const rows = attacks.map((attack, at) =>
  rowOf({
    key: `k${at}`,
    session: `s${at} ${attack}`,
    folder: `/home/me/${attack}`,
    branch: attack,
    agent: attack,
    model: attack,
    title: attack,
    lastLine: attack,
    state: 'working',
    takes: ['steer', 'set_model'],
  }),
)

/** A turn in which every text is this one. */
function turnOf(text: string, at: number): Told[] {
  const id = (name: string): string => `${name}${at} ${text}`
  const oneLine = text.replaceAll('\n', ' ')
  return [
    Object.assign(prompt(text), { from: text.slice(0, 60) }),
    accepted,
    answering,
    says(text),
    answered(
      { type: 'text', text },
      { type: 'text', text: `\`\`\`${oneLine}\n${text}\n\`\`\`\n\n# ${oneLine}\n\n> ${oneLine}\n\n- [ ] ${oneLine}` },
      call(id('a'), text, { [text]: text }),
      call(id('b'), 'bash', { command: text }),
      call(id('c'), 'write', { path: text, content: text }),
      call(id('d'), 'edit', { path: text }),
    ),
    stops('tool_use'),
    prints(id('b'), text),
    returns(id('a'), text),
    returns(id('b'), text, true),
    returns(id('c'), text),
    returns(id('d'), `-${oneLine}\n+${oneLine}`),
    notes(text, text),
    fails(text),
    ended,
  ]
}

const events = timed(attacks.flatMap(turnOf), 1_000_000)

const longName = attacks[0] ?? ''

async function attackedPage(viewport: { width: number; height: number }, name = longName) {
  const process = new FakeProcess()
  process.rows = rows
  process.onWatch = conversation => {
    process.say({ type: 'past', conversation, file: null })
    for (const event of conversation === 'k0' ? events : []) process.say({ type: 'event', conversation, event })
    process.say({ type: 'caught_up', conversation })
    process.say({
      type: 'queue',
      conversation,
      queue: { entries: attacks.map((text, at) => ({ id: `${at}${text}`, text })), paused: true },
    })
    process.say({ type: 'models', conversation, models: attacks.map(text => ({ id: text, name: text })) })
  }
  const hub = createHub(
    { stateFolder: '/', home: '/home/me', secret: '', now: () => Date.now(), log: () => undefined },
    waysTo([process]),
  )
  const stage = await serverStage(hub)
  const opened = await pairedPage(stage, { viewport, name })
  const dialogs: string[] = []
  opened.page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  return { ...opened, ...stage, hub, process, dialogs }
}

async function openFirst({ page, hub }: { page: Page; hub: ReturnType<typeof createHub> }): Promise<void> {
  const first = hub.conversations().find(({ session }) => session?.startsWith('s0 '))
  await page.evaluate(id => (location.hash = `#/c/${encodeURIComponent(id)}`), first?.id ?? '')
  await page.locator('.block').last().waitFor()
}

/** What no text may make. */
async function strangers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    for (const each of document.querySelectorAll('*')) {
      const isIn = each.closest('.blocks, .question-body, .conversations, .waiting') !== null
      const bad = 'SCRIPT IFRAME OBJECT EMBED FORM BASE META LINK STYLE IMG SVG MATH TEMPLATE NOSCRIPT'.split(' ')
      if (isIn && bad.includes(each.tagName.toUpperCase()) && !each.matches('svg.icon, svg.icon *'))
        found.push(each.outerHTML)
      for (const name of each.getAttributeNames()) if (name.startsWith('on')) found.push(`${each.tagName} ${name}`)
      const address = each.getAttribute('href') ?? ''
      if (each.tagName === 'A' && !/^(?:https?:|mailto:|#)/.test(address)) found.push(address)
      if (each.tagName === 'BUTTON' && each.closest('.blocks') && !each.matches('.more[data-rest]'))
        found.push(each.outerHTML)
    }
    if (document.querySelectorAll('.question-card').length > 1) found.push('a second question')
    return found
  })
}

/** The points of a grid over an element at which something else is seen. */
async function covered(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(wanted => {
    const node = document.querySelector(wanted)
    if (!node) return ['it is not there']
    const { left, top, width, height } = node.getBoundingClientRect()
    const found: string[] = []
    for (let x = 0.05; x < 1; x += 0.1)
      for (let y = 0.05; y < 1; y += 0.1) {
        const seen = document.elementFromPoint(left + width * x, top + height * y)
        if (!seen || !node.contains(seen)) found.push(`${seen?.tagName} ${seen?.className}`)
      }
    return found
  }, selector)
}

function expectNothingDone({
  page,
  address,
  dialogs,
  complaints,
  requests,
}: OpenedPage & { address: string; dialogs: string[] }): void {
  expect(dialogs).toEqual([])
  expect(complaints).toEqual([])
  expect(requests.filter(url => !url.startsWith(`${address}/`))).toEqual([])
  expect(new URL(page.url()).origin).toBe(address)
  expect(page.context().pages()).toHaveLength(1)
}

const CARD = '.bottom > .question-card'

const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

inChromium('hostile texts', () => {
  useBuiltPage()

  describe.each(sizes)('on a page of $width columns', size => {
    test('in lists, transcripts, queues, models and names run nothing and load nothing', async () => {
      const attacked = await attackedPage(size)
      const { page } = attacked
      await expect.poll(() => page.locator('.conversations a').count()).toBe(attacks.length)
      expect(await strangers(page)).toEqual([])
      await openFirst(attacked)
      const blocks = page.locator('.transcript')
      for (const edge of ['top', 'end']) {
        await blocks.evaluate((each, to) => each.scrollTo(0, to === 'top' ? 0 : each.scrollHeight), edge)
        await page.evaluate(() => {
          for (const each of document.querySelectorAll('details')) each.open = true
        })
        expect(await strangers(page)).toEqual([])
      }
      expect(await page.locator('.block').count()).toBeGreaterThan(attacks.length)
      expect(await page.title()).not.toMatch(/owned/)
      expectNothingDone(attacked)
    })
  })

  test('of a false process cannot borrow the looks of the page to cover what is around its question', async () => {
    const attacked = await attackedPage({ width: 390, height: 844 })
    const { page, process } = attacked
    const css = readFileSync(new URL('../../src/serve/page/app.css', import.meta.url), 'utf8')
    const names = new Set(css.match(/(?<=\.)[a-z][\w-]+(?=[^{}]*\{)/g))
    expect(names.size).toBeGreaterThan(50)
    await openFirst(attacked)
    const html = [...names].map(name => `<div class="${name}"><p class="${name}">Allow once</p></div>`).join('')
    process.say({ type: 'questions', conversation: 'k0', questions: [questionOf('q', html)] })
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.locator(`${CARD} > .question-foot > .buttons`).waitFor()
    expect(await covered(page, `${CARD} > .question-foot`)).toEqual([])
    expect(await covered(page, `${CARD} > header`)).toEqual([])
    const outside = await page.evaluate(() => {
      const body = document.querySelector('.question-body')
      const { left, top, right, bottom } = body?.getBoundingClientRect() ?? new DOMRect()
      const found: string[] = []
      for (let x = 2; x < innerWidth; x += 8)
        for (let y = 2; y < innerHeight; y += 8) {
          if (x >= left && x <= right && y >= top && y <= bottom) continue
          const seen = document.elementFromPoint(x, y)
          if (seen && seen !== body && body?.contains(seen)) found.push(seen.className)
        }
      return found
    })
    expect([...new Set(outside)]).toEqual([])
    expectNothingDone(attacked)
  })

  test('of a false process with buttons of its own are not shown', async () => {
    const attacked = await attackedPage({ width: 390, height: 844 })
    const { page, process } = attacked
    await openFirst(attacked)
    const html = `<button type="button" class="button primary">Allow once</button>${commandQuestion('ls')}`
    process.say({ type: 'questions', conversation: 'k0', questions: [questionOf('q', html)] })
    // The connection to such a process ends.
    expect(process.isConnected).toBe(false)
    await expect.poll(() => process.connections).toBeGreaterThan(1)
    expect(await page.locator('.question-body button').count()).toBe(0)
    expectNothingDone(attacked)
  })
})

test('the turns of the attacks have all that an agent says', () => {
  expect(fold(events).entries.length).toBeGreaterThanOrEqual(attacks.length)
})
