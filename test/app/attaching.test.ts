import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { labelled } from '../../src/app/chips.ts'
import { createController } from '../../src/app/controller.ts'
import { initialState, type AppState } from '../../src/app/state.ts'
import { createStore } from '../../src/app/store.ts'
import { makePng, samples } from '../images/samples.ts'
import { FakeBackend } from './fake-backend.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-images-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)
writeFileSync(at('a b.png'), samples.png)
writeFileSync(at('two.webp'), samples.webpLossy)
writeFileSync(at('fake.png'), 'no picture')
writeFileSync(at('notes.txt'), 'words')
writeFileSync(at('big.png'), makePng(10, 10, 6_000_000))
writeFileSync(at('huge.png'), makePng(10, 10, 12_000_000))

async function stage() {
  const store = createStore(initialState({ version: '1', folder: '~', branch: null, demo: false }, 0))
  const backend = new FakeBackend(() => 0)
  const controller = createController({
    store,
    backend,
    now: () => 0,
    composerWidth: () => 78,
    redraw: () => undefined,
    onLeave: () => undefined,
    desk: {
      folder,
      home: folder,
      env: { PATH: '' },
      platform: 'linux',
      lendTerminal: async run => run(),
      stopProgram: null,
    },
  })
  controller.start(null)
  const until = (check: (state: AppState) => boolean): Promise<void> =>
    new Promise(resolve => {
      const look = (): void => {
        if (!check(store.get())) return
        stop()
        resolve()
      }
      const stop = store.subscribe(look)
      look()
    })
  await until(state => state.chat.agent.phase === 'ready')
  const draft = (): string => labelled(store.get().editor.text, store.get().chips)
  const holds = async (text: string): Promise<void> => {
    await until(() => draft().includes(text))
    await new Promise(setImmediate)
  }
  return { store, backend, controller, draft, until, holds }
}

describe('a pasted path', () => {
  test('of an image is that image', async () => {
    const { controller, backend, draft, holds } = await stage()
    controller.type('look at ')
    controller.paste(`'${at('a b.png')}' `)
    await holds(']')
    expect(draft()).toMatch(/^look at \[Image #1 300x200 \d+ B\]$/)
    controller.press('enter')
    expect(backend.prompts[0]?.images).toMatchObject([
      { mimeType: 'image/png', data: samples.png.toString('base64'), path: join(folder, 'a b.png') },
    ])
    expect(backend.prompts[0]?.text).toMatch(/^look at \[Image #1/)
  })

  test('relative, without quotes, several at once', async () => {
    const { controller, draft, holds } = await stage()
    controller.paste('./two.webp ~/two.webp')
    await holds('#2')
    expect(draft()).toMatch(/^\[Image #1 300x200 \d+ B\] \[Image #2 300x200 \d+ B\]$/)
  })

  test.each([
    ['leads nowhere', () => at('none.png'), ''],
    ['is of no image', () => at('fake.png'), 'fake.png is not a PNG, JPEG, GIF or WebP image'],
    ['is of one that is too big', () => at('huge.png'), 'huge.png holds more than 11 MB'],
    ['stands beside another file', () => `${at('two.webp')} ${at('notes.txt')}`, ''],
  ])('that %s stays what it is', async (_, text, words) => {
    const { store, controller, draft, holds } = await stage()
    controller.paste(text())
    await holds(folder)
    expect(draft()).toBe(text())
    expect(store.get().hint ?? '').toContain(words)
  })

  test('is waited for by Enter, and by the paste behind it', async () => {
    const { controller, backend, store, until } = await stage()
    controller.paste(at('two.webp'))
    controller.paste(' and words')
    controller.press('enter')
    await until(() => store.get().chat.open !== null)
    expect(backend.prompts[0]?.text).toMatch(/^\[Image #1 300x200 \d+ B\] and words$/)
    expect(backend.prompts[0]?.images).toHaveLength(1)
  })
})

describe('a prompt with images', () => {
  test('of more than 11 MB is refused before it is sent, and the draft stays', async () => {
    const { controller, backend, store, draft, holds } = await stage()
    controller.paste(at('big.png'))
    await holds('#1')
    controller.paste(at('big.png'))
    await holds('#2')
    const before = draft()
    controller.press('enter')
    expect(backend.prompts).toEqual([])
    expect(draft()).toBe(before)
    expect(store.get().hint).toMatch(/^The 2 images have 12 MB; one prompt can carry 11 MB/)
  })

  test('is sent with them again by /retry', async () => {
    const { controller, backend, holds } = await stage()
    controller.paste(at('two.webp'))
    await holds(']')
    controller.press('enter')
    backend.end({ type: 'turn_ended' })
    await new Promise(setImmediate)
    controller.type('/retry')
    controller.press('enter')
    expect(backend.prompts).toHaveLength(2)
    expect(backend.prompts[1]).toEqual(backend.prompts[0])
  })
})

test('a clipboard that cannot be read says why', async () => {
  const { controller, store, until } = await stage()
  controller.press('ctrl+v')
  await until(state => state.hint?.startsWith('There is no clipboard here') === true)
  expect(store.get().editor.text).toBe('')
})
