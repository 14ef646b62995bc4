/** The things that are kept between two starts, and files behind an `@`, with journals and a finder in memory. */
import { describe, expect, test } from 'vitest'
import type { Journals } from '../../../src/app/context/draft-store.ts'
import type { Finder } from '../../../src/platform/files/finder.ts'
import type { Unsent } from '../../../src/storage/journal/drafts.ts'
import { createStage, type Stage, type StageParts, queueOf } from '../stage.ts'

type Told = { change: () => void; recent: () => readonly string[] }

const silent = (): Told => ({ change: () => undefined, recent: () => [] })

type Disk = {
  journals: Journals
  appended: string[]
  saved: () => Unsent | undefined
  flushed: () => Unsent | undefined
}

function disk(adopted: Journals['drafts']['adopted'] = null, recent: readonly string[] = []): Disk {
  const appended: string[] = []
  let saved: Unsent | undefined
  let flushed: Unsent | undefined
  const history = {
    recent: () => [...recent, ...appended],
    all: () => [
      { text: 'from afar', folder: '/home/far', at: 1 },
      ...appended.map(text => ({ text, folder: '/', at: 2 })),
    ],
    images: () => new Map(),
    append: (text: string) => void (text.trim() === '' || appended.push(text)),
  }
  const drafts = {
    adopted,
    save: (state: Unsent) => {
      saved = state
    },
    flushSync: () => {
      flushed = saved
    },
  }
  return { journals: { history, drafts }, appended, saved: () => saved, flushed: () => flushed }
}

async function started(parts: StageParts, prompt: string | null = null): Promise<Stage> {
  const stage = createStage(undefined, parts)
  stage.controller.start(prompt)
  await stage.settle()
  stage.asked()
  return stage
}

function foundIn({ picker }: ReturnType<Stage['state']>): string[] {
  return picker?.kind === 'history' ? picker.found.map(prompt => prompt.text) : []
}

/** Finds by the letters as they stand. */
function finderOver(found: string[], told: Told): StageParts {
  return {
    openFinder({ onChange, recent }): Finder {
      told.change = onChange
      told.recent = recent
      return {
        open: () => undefined,
        search: query => found.filter(path => path.includes(query)).map(path => ({ path, positions: [] })),
        close: () => undefined,
      }
    },
  }
}

describe('the drafts file', () => {
  test('keeps prompts and archived drafts in full, and no commands', async () => {
    const { journals, appended } = disk()
    const { say, type, paste, press, done } = await started({ journals })
    await say('one')
    await done()
    await say('/usage')
    await paste('line\n'.repeat(9))
    await type('!')
    expect(appended).toEqual(['one'])
    await press('ctrl+c')
    expect(appended).toEqual(['one', `${'line\n'.repeat(9)}!`])
  })

  test('is written before anything else happens, and after each key', async () => {
    const { journals, saved, flushed } = disk()
    const { say, type } = await started({ journals })
    await type('on')
    expect(saved()).toEqual({ draft: 'on', queue: [], held: false })
    await say('e')
    expect(flushed()).toEqual({ draft: '', queue: [], held: false })
    await say('two')
    expect(flushed()).toEqual({ draft: '', queue: ['two'], held: false })
  })

  test('keeps the draft from before an earlier prompt was recalled', async () => {
    const { journals, saved } = disk(null, ['before'])
    const { state, type, press } = await started({ journals })
    await type('draft')
    await press('up')
    expect(saved()).toMatchObject({ draft: 'draft' })
    await type('!')
    expect(saved()).toMatchObject({ draft: 'before!', stash: 'draft' })
    await press('enter')
    // It did not go with the prompt of before that was sent in its place.
    await press('up', 'up')
    expect(state().editor.text).toBe('draft')
  })

  test('restores the queue paused, and sends none of it by itself', async () => {
    const { journals, saved } = disk({ draft: 'draft', queue: ['one', 'two'] })
    const { state, asked, entries, press, done, say } = await started({ journals })
    expect(state().editor.text).toBe('draft')
    expect(queueOf(state())).toEqual({ entries: ['one', 'two'], paused: true })
    expect(entries().join('\n')).toContain('your draft and 2 queued messages (paused)')
    expect(saved()).toEqual({ draft: 'draft', queue: ['one', 'two'], held: true })
    await press('enter')
    await done()
    await say('three')
    await done()
    expect(asked()).toEqual(['prompt draft', 'prompt three'])
    await press('enter')
    expect(asked()).toEqual(['prompt one'])
  })

  test('holds the queue as text, and its commands are commands again', async () => {
    const { journals, saved } = disk({ draft: '', queue: ['one', '/reasoning high'] })
    const { state } = await started({ journals })
    expect(state().queue.entries).toEqual([
      { kind: 'prompt', text: 'one' },
      { kind: 'command', name: 'reasoning', argument: 'high' },
    ])
    expect(saved()).toMatchObject({ queue: ['one', '/reasoning high'] })
  })

  test('leaves the queue paused after a prompt on the command line', async () => {
    const { journals } = disk({ draft: '', queue: ['one'] })
    const { state, backend, done } = await started({ journals }, 'now this')
    expect(backend.prompts.map(prompt => prompt.text)).toEqual(['now this'])
    await done()
    expect(queueOf(state())).toEqual({ entries: ['one'], paused: true })
  })

  test('can restore nothing but text', async () => {
    const { journals } = disk({ draft: 'a\u001B[2Jb\u{F0000}', queue: [] }, ['x\u0007y'])
    const { state } = await started({ journals })
    expect(state().editor.text).toBe('ab')
    expect(state().history.entries).toEqual(['xy'])
  })
})

describe('Ctrl+R', () => {
  test('searches this folder, then all; Enter takes a prompt, and the draft is not lost', async () => {
    const { journals, appended } = disk(null, ['fix the parser', 'write the docs', 'fix the docs'])
    const { state, type, press } = await started({ journals })
    await type('draft')
    await press('ctrl+r')
    expect(foundIn(state())).toEqual(['fix the docs', 'write the docs', 'fix the parser'])
    await type('DOCS fix')
    expect(foundIn(state())).toEqual(['fix the docs'])
    await press('ctrl+r')
    expect(state().picker).toMatchObject({ scope: 'all', filter: 'DOCS fix' })
    for (let times = 0; times < 8; times += 1) await press('backspace')
    expect(foundIn(state())[0]).toBe('from afar')
    await press('enter')
    expect(state().editor.text).toBe('from afar')
    expect(appended).toEqual(['draft'])
    await press('up')
    expect(state().editor.text).toBe('draft')
  })

  test('works without a disk, and Esc leaves the draft alone', async () => {
    const { state, say, type, press } = await started({})
    await say('one')
    await type('draft')
    await press('ctrl+r')
    expect(foundIn(state())).toEqual(['one'])
    await press('up', 'escape')
    expect(state()).toMatchObject({ picker: null, editor: { text: 'draft' } })
  })
})

describe('Ctrl+S', () => {
  test('stashes the draft, restores it, and swaps it for another', async () => {
    const { journals, saved } = disk()
    const { state, type, press } = await started({ journals })
    await type('one')
    await press('ctrl+s')
    expect(state().editor.text).toBe('')
    expect(saved()).toMatchObject({ draft: 'one' })
    await type('two')
    expect(saved()).toMatchObject({ draft: 'two', stash: 'one' })
    await press('ctrl+s')
    expect(saved()).toMatchObject({ draft: 'one', stash: 'two' })
    expect(state().editor.text).toBe('one')
    await press('ctrl+u', 'ctrl+s')
    expect(state()).toMatchObject({ editor: { text: 'two' }, stash: null })
    await press('ctrl+u', 'ctrl+s')
    expect(state().hint).toContain('no draft')
  })
})

test('a draft and a stashed draft are restored as what they were', async () => {
  const { journals, saved } = disk({ draft: 'one', stash: 'two', queue: [] })
  const { state, entries, press } = await started({ journals })
  expect(state()).toMatchObject({ editor: { text: 'one' }, stash: 'two' })
  expect(entries().join('\n')).toContain('your draft and a stashed draft (Ctrl+S).')
  await press('ctrl+s')
  expect(saved()).toMatchObject({ draft: 'two', stash: 'one' })
})

describe('a draft from before an earlier prompt was recalled', () => {
  test('comes back after a queued message was edited', async () => {
    const { state, say, type, press } = await started({})
    await say('one')
    await say('two')
    await type('draft')
    await press('up', 'alt+up')
    expect(state()).toMatchObject({ editor: { text: 'two' }, edited: { draft: 'draft' } })
    await press('up', 'enter')
    expect(state()).toMatchObject({ editor: { text: 'draft' }, history: { at: null } })
    await press('down')
    expect(state().editor.text).toBe('draft')
  })

  test('is in the history, with the recalled prompts that were changed, once another one is sent or taken', async () => {
    const { journals, appended } = disk(null, ['old', 'older'])
    const { state, type, press } = await started({ journals })
    await type('draft')
    await press('up')
    await type(' changed')
    await press('up', 'enter')
    expect(appended).toEqual(['older changed', 'draft', 'old'])
    expect(state().history.entries.slice(-3)).toEqual(['older changed', 'draft', 'old'])
    await type('another')
    await press('up', 'ctrl+r', 'down', 'enter')
    expect(appended.at(-1)).toBe('another')
  })
})

describe('a file after @', () => {
  const paths = ['src/', 'src/a.ts', 'src/my doc.md', 'b.ts']

  test('a folder is completed further, and a file becomes a chip that is sent as it was typed', async () => {
    const { state, type, press, asked } = await started(finderOver(paths, silent()))
    await type('see (@src')
    expect(state().files?.found.map(({ path }) => path)).toEqual(['src/', 'src/a.ts', 'src/my doc.md'])
    await press('tab')
    expect(state().editor.text).toBe('see (@src/')
    expect(state().files?.found.map(({ path }) => path)).toEqual(['src/a.ts', 'src/my doc.md'])
    await press('down', 'enter')
    expect(asked()).toEqual([])
    expect(state().files).toBeNull()
    await type('now')
    await press('enter')
    expect(asked()).toEqual(['prompt see (@"src/my doc.md" now'])
  })

  test('Esc closes the list, and Enter then sends the text as it is', async () => {
    const { state, type, press, asked } = await started(finderOver(paths, silent()))
    await type('@b')
    await press('escape')
    expect(state().files).toBeNull()
    await press('enter')
    expect(asked()).toEqual(['prompt @b'])
  })

  test('later results are shown, and the chosen row stays chosen', async () => {
    const told = silent()
    const found = [...paths]
    const { state, type, press } = await started(finderOver(found, told))
    await type('@s')
    await press('down')
    expect(state().popup.selected).toBe(1)
    found.unshift('s.ts')
    told.change()
    expect(state().files?.found[state().popup.selected]?.path).toBe('src/a.ts')
  })

  test('a file that was taken or named in a prompt counts as recently used', async () => {
    const told = silent()
    const { journals } = disk(null, ['look at src/old.ts, please.', 'and @src/new.ts'])
    const { type, press } = await started({ journals, ...finderOver(paths, told) })
    await type('@b')
    await press('tab')
    expect(told.recent()).toEqual(['b.ts', 'src/new.ts', 'src/old.ts'])
  })
})
