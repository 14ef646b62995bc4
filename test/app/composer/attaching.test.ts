import { spokenPages } from '../pages.ts'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { labelled } from '../../../src/state/composer/chips.ts'
import { unsentOf, type Journals } from '../../../src/app/context/draft-store.ts'
import type { Unsent } from '../../../src/storage/journal/drafts.ts'
import { pickerTable } from '../../../components/picker/table.ts'
import { slashCommands } from '../../../src/commands/table.ts'
import { createController } from '../../../src/app/controller.ts'
import { initialState, type AppState } from '../../../src/state/state.ts'
import { createAppStore } from '../../../src/state/app-store.ts'
import { makePng, samples } from '../../platform/images/samples.ts'
import { FakeBackend } from '../fake-backend.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-images-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)
const hashOf = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(at(name)))
    .digest('hex')
writeFileSync(at('a b.png'), samples.png)
writeFileSync(at('two.webp'), samples.webpLossy)
writeFileSync(at('fake.png'), 'no picture')
writeFileSync(at('notes.txt'), 'words')
writeFileSync(at('big.png'), makePng(10, 10, 6_000_000))
writeFileSync(at('huge.png'), makePng(10, 10, 12_000_000))

type Left = NonNullable<Journals['drafts']['adopted']>

/** A program, and what another one left that was killed. */
async function stage(adopted: Left | null = null) {
  let saved: Unsent | undefined
  const journals: Journals = {
    history: { recent: () => [], all: () => [], images: () => new Map(), append: () => undefined },
    drafts: { adopted, save: state => void (saved = state), flushSync: () => undefined },
  }
  const store = createAppStore(initialState({ version: '1', folder: '~', branch: null, demo: false }, 0))
  const backend = new FakeBackend(() => 0)
  const controller = createController({
    slashCommands,
    pickers: pickerTable,
    permissions: null,
    journals,
    store,
    backend,
    now: () => 0,
    composerWidth: () => 78,
    screenRows: () => 24,
    redraw: () => undefined,
    pages: spokenPages,
    onLeave: () => undefined,
    host: {
      folder,
      home: folder,
      env: { PATH: '' },
      platform: 'linux',
      lendTerminal: async run => run(),
      suspend: null,
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
  return { store, backend, controller, draft, until, holds, saved: () => saved }
}

describe('a pasted path', () => {
  test('of an image attaches the image', async () => {
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

  test('may be relative, unquoted, or one of several', async () => {
    const { controller, draft, holds } = await stage()
    controller.paste('./two.webp ~/two.webp')
    await holds('#2')
    expect(draft()).toMatch(/^\[Image #1 300x200 \d+ B\] \[Image #2 300x200 \d+ B\]$/)
  })

  test('changes no word before or after it', async () => {
    const { controller, draft, holds } = await stage()
    controller.type('see this')
    for (let index = 0; index < 4; index += 1) controller.press('left')
    controller.paste(at('two.webp'))
    await holds('#1')
    expect(draft()).toMatch(/^see \[Image #1 [^\]]+\] this$/)
    controller.press('end')
    controller.paste(at('two.webp'))
    await holds('#2')
    expect(draft()).toMatch(/ this \[Image #2 [^\]]+\]$/)
    controller.type('and')
    expect(draft()).toMatch(/ this \[Image #2 [^\]]+\] and$/)
    controller.paste(at('two.webp'))
    await holds('#3')
    controller.type('?')
    expect(draft()).toMatch(/\] and \[Image #3 [^\]]+\]\?$/)
  })

  test.each([
    ['leads nowhere', () => at('none.png'), ''],
    ['is of no image', () => at('fake.png'), 'fake.png is not a PNG, JPEG, GIF or WebP image'],
    ['is of one that is too big', () => at('huge.png'), 'huge.png is larger than 11 MB'],
    ['stands beside another file', () => `${at('two.webp')} ${at('notes.txt')}`, ''],
  ])('that %s stays text', async (_, text, words) => {
    const { store, controller, draft, holds } = await stage()
    controller.paste(text())
    await holds(folder)
    expect(draft()).toBe(text())
    expect(store.get().hint ?? '').toContain(words)
  })

  test('is read before Enter sends the prompt and before the next paste is inserted', async () => {
    const { controller, backend, store, until } = await stage()
    controller.paste(at('two.webp'))
    controller.paste(' and words')
    controller.press('enter')
    await until(() => store.get().chat.open !== null)
    expect(backend.prompts[0]?.text).toMatch(/^\[Image #1 300x200 \d+ B\] and words$/)
    expect(backend.prompts[0]?.images).toHaveLength(1)
  })
})

describe('an Enter while an image is read', () => {
  test('sends what was written before it, and what is typed after it is the next draft', async () => {
    const { controller, backend, store, draft, until } = await stage()
    controller.type('look ')
    controller.paste(at('two.webp'))
    controller.press('enter')
    controller.type('and the next')
    for (let index = 0; index < 4; index += 1) controller.press('left')
    controller.press('enter')
    expect([draft(), store.get().waitingDraft?.text]).toEqual(['and the next', 'look '])
    await until(() => store.get().chat.open !== null)
    expect(backend.prompts.map(({ text, images }) => [text.replace(/ \d+ B/, ''), images.length])).toEqual([
      ['look [Image #1 300x200]', 1],
    ])
    expect([draft(), store.get().editor.caret, store.get().waitingDraft]).toEqual(['and the next', 8, null])
  })

  test('keeps the draft with the drafts of a program that is killed, and an image pasted after it for the next', async () => {
    const { controller, backend, store, draft, until } = await stage()
    controller.paste(at('two.webp'))
    controller.press('enter')
    controller.type('next ')
    controller.paste(at('a b.png'))
    expect([store.get().waitingDraft?.text, draft()]).toEqual(['', 'next '])
    expect(unsentOf(store.get())).toMatchObject({ queue: [''], draft: 'next ' })
    await until(({ editor }) => editor.text.length > 'next '.length)
    expect(backend.prompts).toHaveLength(1)
    expect(draft()).toMatch(/^next \[Image #2 300x200 /)
  })

  test('brings the draft back if it cannot be sent, before what was typed after it', async () => {
    const { controller, backend, store, draft, until } = await stage()
    backend.tell({ type: 'agent_ended', code: 1, signal: null, reason: 'it broke', hint: '', expected: true })
    await until(({ chat }) => chat.agent.phase === 'ended')
    controller.type('look ')
    controller.paste(at('two.webp'))
    controller.press('enter')
    controller.type('and the next')
    await until(({ waitingDraft }) => waitingDraft === null)
    expect(draft().replace(/ \d+ B/, '')).toBe('look [Image #1 300x200]\nand the next')
    expect([backend.prompts, store.get().hint]).toEqual([[], expect.stringContaining('The agent is not running')])
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

  test('is sent again with its images by /retry', async () => {
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

test('a clipboard that cannot be read is reported with the reason', async () => {
  const { controller, store, until } = await stage()
  controller.press('ctrl+v')
  await until(state => state.hint?.startsWith('There is no clipboard here') === true)
  expect(store.get().editor.text).toBe('')
})

describe('the images of a program that was killed', () => {
  const label = '[Image #1 300x200 1 KB]'
  const known = (name: string, place: 'draft' | 'stash' | number, offset: number) => {
    const sha256 = hashOf(name)
    return { label, in: place, at: offset, sha256, path: at(name), file: at(name) } as const
  }

  test('are restored to the right places, even if their labels are the same', async () => {
    const left: Left = {
      draft: `a ${label} and ${label}`,
      stash: `${label}?`,
      queue: [`first ${label}`, 'plain'],
      images: [
        known('a b.png', 'draft', 2),
        known('two.webp', 'draft', 2 + label.length + 5),
        known('two.webp', 'stash', 0),
        known('a b.png', 0, 6),
      ],
    }
    const { store, controller, backend, draft, until, saved } = await stage(left)
    await until(({ chips }) => [...chips.values()].filter(chip => chip.kind === 'image' && chip.image).length === 4)
    expect(draft()).toBe(left.draft)
    const kept = saved()
    expect(kept).toMatchObject({ draft: left.draft, stash: left.stash, queue: left.queue, held: true })
    expect(kept?.images).toHaveLength(4)
    for (const [index, { file: path, ...image }] of (left.images ?? []).entries())
      expect(kept?.images?.[index]).toEqual({ ...image, path })

    controller.press('enter')
    await until(state => state.chat.open !== null)
    controller.press('ctrl+s')
    controller.press('enter')
    expect(backend.prompts[0]?.images.map(image => image.path)).toEqual([at('a b.png'), at('two.webp')])
    expect(store.get().queue.entries).toHaveLength(3)
    const waiting = saved()?.images?.map(image => [image.in, image.path])
    expect(waiting).toEqual([
      [0, at('a b.png')],
      [2, at('two.webp')],
    ])
  })

  test('leave the text unchanged if the drafts file has wrong places', async () => {
    const images = [known('a b.png', 'draft', 1), known('a b.png', 'draft', -1), known('a b.png', 7, 0)]
    const { draft, store } = await stage({ draft: `${label} x`, queue: [], images })
    expect(draft()).toBe(`${label} x`)
    expect(store.get().chips.size).toBe(0)
  })

  test('whose file is gone leave only their label, and a warning', async () => {
    const { draft, until, controller, backend } = await stage({
      draft: label,
      queue: [],
      images: [{ ...known('a b.png', 'draft', 0), file: at('none.png') }],
    })
    await until(({ chat }) => chat.entries.some(entry => entry.kind === 'notice' && /Only the label/.test(entry.text)))
    expect(draft()).toBe(label)
    await until(() => true)
    controller.press('enter')
    await until(state => state.chat.open !== null)
    expect(backend.prompts[0]).toMatchObject({ text: label, images: [] })
  })
})
