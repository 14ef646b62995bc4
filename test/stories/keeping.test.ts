/** Kept things: prompts, drafts and the queue, over restarts and kills; and files, found behind an `@`. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { share, type Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { expectDraft, lastingHome, logged, openEcho, openIn, openQuickDemo, send, startAfresh } from './stage.ts'

async function killed(zotui: Screen): Promise<void> {
  zotui.kill('SIGKILL')
  await zotui.close()
}

/** All that the journals of drafts hold. */
function draftsOf(home: Home): string {
  const root = join(home.path, '.local', 'state', 'zotui', 'drafts')
  if (!existsSync(root)) return ''
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => basename(name) === 'state.json')
    .map(name => readIfThere(join(root, name)))
    .join('\n')
}

/** A journal may be moved away while we look. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function write(home: Home, ...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(home.project, dirname(path)), { recursive: true })
    writeFileSync(join(home.project, path), '')
  }
}

const ODD = 'it is; echo $((6*7)).txt'

/** In a folder with files, of which git would ignore one. */
async function openWithFiles({ repository = false } = {}): Promise<Screen> {
  const fill = (home: Home) => {
    write(home, 'src/deep/parser.ts', 'src/deep/reader.ts', 'other.ts', 'a.ts', 'b.ts', 'c.ts', 'notes.md')
    write(home, 'README.md', 'build/parser.ts', ...(process.platform === 'win32' ? [] : [ODD]))
    writeFileSync(join(home.project, '.gitignore'), 'build/\n')
    if (repository) execFileSync('git', ['init', '-q', '--template='], { cwd: home.project })
    return {}
  }
  return openEcho({ env: fill })
}

/** One program for what needs no start of its own. */
const shared = share(openWithFiles, startAfresh)

describe('unsent text', () => {
  test('is not taken by another zotui in the same folder, and survives kill -9, with the queue paused', async () => {
    const home = lastingHome()
    const before = await openIn(home, { agent: 'deaf' })
    await send(before, 'go on for ever')
    await before.see('I hear nothing.')
    await send(before, 'the first')
    await send(before, 'the second')
    await before.see(/2 queued/)
    await before.type('and a draf')
    await expectDraft(before, 'and a draf')
    // The journal is written within 200 ms of a key; what waits for it here looks at the file.
    await before.until('the draft on disk', { check: () => draftsOf(home).includes('and a draf') })
    const another = await openIn(home)
    await expectDraft(another, '')
    await another.type('draft of another')
    await another.press('ctrl+c')
    await expectDraft(another, '')
    await expectDraft(before, 'and a draf')
    await killed(before)

    const after = await openIn(home)
    await after.see('Restored your draft and 2 queued messages (paused).')
    await after.see(/2 paused.*1 "the first".*2 "the /)
    await expectDraft(after, 'and a draf')
    await after.type('t')
    await expectDraft(after, 'and a draft')
    await after.press('enter')
    await after.see('You said: and a draft.')
    await after.see(/2 paused/)
    expect(after.screen().join('\n')).not.toContain('You said: the first')
    await after.press('enter')
    await after.see('You said: the first.')
    await after.see('You said: the second.')
  })

  test('is restored once after leaving, without what was sent, and after a kill with all that was stashed', async () => {
    const home = lastingHome()
    const before = await openIn(home)
    await send(before, 'hello')
    await before.see('You said: hello.')
    await before.type('for tomorrow')
    await expectDraft(before, 'for tomorrow')
    await before.close()

    const after = await openIn(home)
    await after.see('Restored your draft.')
    await after.type(', today')
    await expectDraft(after, 'for tomorrow, today')
    await after.press('enter')
    await after.see('You said: for tomorrow, today.')
    await killed(after)

    const third = await openIn(home)
    await expectDraft(third, '')
    expect(third.screen().join('\n')).not.toContain('Restored your')
    await send(third, 'sent before')
    await third.see('You said: sent before.')
    await third.type('put aside')
    await third.press('ctrl+s')
    await third.type('the draft')
    await third.press('up')
    await expectDraft(third, 'sent before')
    await third.type(' and changed')
    await third.until('all on disk', { check: () => draftsOf(home).includes('"behind":"the draft"') })
    await killed(third)

    const fourth = await openIn(home)
    await fourth.see(/Restored your draft, a stashed draft \(Ctrl\+S\)\s+and\s+another draft \(Up\)\./)
    await expectDraft(fourth, 'sent before and changed')
    await fourth.press('up')
    await expectDraft(fourth, 'the draft')
    await fourth.press('down')
    await expectDraft(fourth, 'sent before and changed')
    await fourth.press('ctrl+s')
    await expectDraft(fourth, 'put aside')
    await killed(fourth)
    const last = await openIn(home)
    await last.press('ctrl+r')
    await last.see(/the draft/)
  })

  test('is stashed with Ctrl+S, and restored', async () => {
    const zotui = await shared()
    await zotui.type('for later')
    await zotui.press('ctrl+s')
    await zotui.see('Ctrl+S brings it back')
    await expectDraft(zotui, '')
    await send(zotui, 'thanks')
    await zotui.press('ctrl+s')
    await expectDraft(zotui, 'for later')
  })
})

describe('earlier prompts', () => {
  test('are available after a restart, those of other folders with a second Ctrl+R, those to the demo never', async () => {
    const home = lastingHome()
    const demo = await openQuickDemo({ home })
    await send(demo, 'thanks')
    await demo.type('a draft to the demo')
    await demo.close()
    const elsewhere = join(home.path, 'elsewhere')
    mkdirSync(elsewhere)
    const there = await openIn(home, { cwd: elsewhere })
    await send(there, 'mend the roof')
    await there.see('You said: mend the roof.')
    await there.close()

    const here = await openIn(home)
    await expectDraft(here, '')
    await here.type('a draft')
    await here.press('ctrl+r')
    await here.see('no matching prompts')
    await here.press('ctrl+r')
    await here.see(/^▌ history of all folders\n +› mend the roof +elsewhere\n/m)
    expect(here.screen().join('\n')).not.toContain('thanks')
    await here.press('esc')
    await expectDraft(here, 'a draft')
    await here.press('ctrl+r', 'ctrl+r')
    await here.see('mend the roof')
    await here.press('enter')
    await expectDraft(here, 'mend the roof')
    await here.press('up')
    await expectDraft(here, 'a draft')
    await here.press('ctrl+u')
    await send(here, 'fix the parser')
    await here.see('You said: fix the parser.')
    await send(here, 'write the docs')
    await here.see('You said: write the docs.')
    await here.close()

    const after = await openIn(home)
    await after.press('up', 'up')
    await expectDraft(after, 'fix the parser')
    await after.press('down', 'down')
    await expectDraft(after, '')
    await after.press('ctrl+r')
    await after.see(/^▌ history\n +› write the docs\n +fix the parser\n/m)
    await after.type('pars')
    await after.see(/^▌ history {2}pars\n +› fix the parser\n +1 of 4 prompts/m)
    await after.press('enter')
    await expectDraft(after, 'fix the parser')
  })
})

describe('a file after @', () => {
  test('is listed first if it was used last', async () => {
    // Nothing else was used yet.
    const zotui = await shared()
    await zotui.type('@c')
    await zotui.see(/› c\.ts *$/m)
    await zotui.press('tab')
    await zotui.see(/▌ @c\.ts ~\d+ tokens/)
    await zotui.type('and @')
    await zotui.see(/› c\.ts *\n +a\.ts *$/m)
    await zotui.press('esc')
    await zotui.gone(/a\.ts/)
    await zotui.press('enter')
    await zotui.see('@c.ts and @.')
  })

  test.skipIf(process.platform === 'win32')(
    'is one word to a shell, whatever it is called, and a path to a command',
    async () => {
      const zotui = await shared()
      writeFileSync(join(zotui.cwd, ODD), 'what it says')
      await zotui.type('!cat @it')
      await zotui.see(/› it is; echo/)
      await zotui.press('tab')
      await zotui.gone(/› it is; echo/)
      await zotui.press('enter')
      await zotui.see('what it says')
      expect(zotui.screen().join('\n')).not.toMatch(/\b42\b/)
      await send(zotui, 'hello')
      await zotui.see(turnEnd)
      await zotui.type('/export @not')
      await zotui.see(/› notes\.md *$/m)
      await zotui.press('tab')
      await zotui.gone(/› notes\.md *$/m)
      await zotui.press('enter')
      await zotui.see(/notes\.md already exists/)
    },
  )

  test('is completed in the middle of a prompt, folder by folder', async () => {
    const zotui = await shared()
    await zotui.type('mend  please')
    await zotui.press('alt+b', 'left')
    await zotui.type('@sr')
    await zotui.see(/› src\/ *$/m)
    await zotui.press('tab')
    await zotui.see(/› src\/deep\/ *$/m)
    await zotui.press('tab')
    await zotui.see(/src\/deep\/reader\.ts/)
    await zotui.type('read')
    await zotui.see(/› src\/deep\/reader\.ts *$/m)
    await zotui.press('tab')
    // The size is added when the file has been read.
    await zotui.see(/▌ mend @src\/deep\/reader\.ts(?: ~\d+ tokens)? please/)
    await zotui.press('backspace')
    await expectDraft(zotui, 'mend  please')
  })

  // A file that was used is listed first: this test is the last that uses the shared program.
  test.each([
    ['in a repository', () => openWithFiles({ repository: true })],
    ['outside of one', shared],
  ])('%s: found, taken, and sent as it was typed', async (_, begin) => {
    const zotui = await begin()
    await zotui.type('look at @pars')
    await zotui.see(/› src\/deep\/parser\.ts *$/m)
    expect(zotui.screen().join('\n')).not.toContain('build/parser.ts')
    await zotui.press('enter')
    await zotui.gone(/› src\/deep\/parser\.ts *$/m)
    await zotui.type('and mend it')
    await zotui.see(/▌ look at @src\/deep\/parser\.ts ~\d+ tokens and mend it/)
    await zotui.press('enter')
    await zotui.see(
      /You said: The content of src\/deep\/parser\.ts[^]*^ {2}look at @src\/deep\/parser\.ts and mend it\.$/m,
    )
    await zotui.see('▌ look at @src/deep/parser.ts and mend it')
    expect(logged(zotui.home)).toContain('look at @src/deep/parser.ts and mend it')
    await zotui.press('ctrl+r', 'enter')
    await expectDraft(zotui, 'look at @src/deep/parser.ts and mend it')
  })
})

describe('a full disk', () => {
  test('is reported once for drafts and once for prompts, and everything else works', async () => {
    const home = lastingHome()
    const blocked = join(home.path, 'no-folder')
    writeFileSync(blocked, 'a file where a folder is wanted')
    const zotui = await openIn(home, { env: { XDG_STATE_HOME: blocked } })
    await send(zotui, 'one')
    await zotui.see('You said: one.')
    await send(zotui, 'two')
    await zotui.see('You said: two.')
    await zotui.type('three')
    await expectDraft(zotui, 'three')
    await zotui.see(/Unsent text cannot be saved/, { where: 'history' })
    const told = zotui.history().join('\n')
    expect(told.match(/Unsent text cannot be saved/g)).toHaveLength(1)
    await zotui.press('ctrl+u', 'up')
    await expectDraft(zotui, 'two')
  })
})

describe('a paste of 10 MB', () => {
  test('becomes a chip at once, does not block keys, and survives a kill', async () => {
    const home = lastingHome()
    const before = await openIn(home)
    await before.paste('a line of sixteen'.padEnd(99, '.').concat('\n').repeat(100_000))
    await before.see(/\[Pasted #1: 100001 lines\]/)
    await before.type(' and more')
    await before.see(/lines\] and more$/m)
    await before.until('the draft on disk', { check: () => draftsOf(home).includes(' and more') })
    await killed(before)
    const after = await openIn(home)
    await after.see('Restored your draft.')
    await after.see(/and more$/m)
  })
})
