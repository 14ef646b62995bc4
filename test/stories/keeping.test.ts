/** Kept things: prompts, drafts and the queue, over restarts and kills; and files, found behind an `@`. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { share, type Screen } from '../helpers/screen.ts'
import { expectDraft, lastingHome, logged, openDemo, openEcho, openIn, send, startAfresh } from './stage.ts'

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

describe('unsent text', () => {
  test('survives kill -9: the draft is in the composer, and the queue is paused', async () => {
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
    await killed(before)

    const after = await openIn(home)
    await after.see('Restored your draft and 2 queued messages, held.')
    await after.see(/2 held.*1 "the first".*2 "the second"/)
    await expectDraft(after, 'and a draf')
    await after.type('t')
    await expectDraft(after, 'and a draft')
    await after.press('enter')
    await after.see('You said: and a draft.')
    await after.see(/2 held/)
    expect(after.screen().join('\n')).not.toContain('You said: the first')
    await after.press('enter')
    await after.see('You said: the first.')
    await after.see('You said: the second.')
  })

  test('is not taken by another zotui in the same folder', async () => {
    const home = lastingHome()
    const one = await openIn(home)
    await one.type('draft of one')
    await one.until('the draft on disk', { check: () => draftsOf(home).includes('draft of one') })
    const two = await openIn(home)
    await expectDraft(two, '')
    await two.type('draft of two')
    await two.press('ctrl+c')
    await expectDraft(two, '')
    await expectDraft(one, 'draft of one')
    await killed(one)

    const three = await openIn(home)
    await expectDraft(three, 'draft of one')
  })

  test('is restored once after leaving, without what was sent', async () => {
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
    const last = await openIn(home)
    await expectDraft(last, '')
    expect(last.screen().join('\n')).not.toContain('Restored your')
  })

  test('is restored after a kill, also with three programs at once', async () => {
    const home = lastingHome()
    const before = await openIn(home)
    await send(before, 'sent before')
    await before.see('You said: sent before.')
    await before.type('put aside')
    await before.press('ctrl+s')
    await before.type('the draft')
    await before.press('up')
    await expectDraft(before, 'sent before')
    await before.type(' and changed')
    await before.until('all on disk', { check: () => draftsOf(home).includes('"behind":"the draft"') })
    await killed(before)

    const after = await openIn(home)
    await after.see(/Restored your draft, a stashed draft \(Ctrl\+S\)\s+and\s+another draft \(Up\)\./)
    await expectDraft(after, 'sent before and changed')
    await after.press('up')
    await expectDraft(after, 'the draft')
    await after.press('down')
    await expectDraft(after, 'sent before and changed')
    await after.press('ctrl+s')
    await expectDraft(after, 'put aside')
    await killed(after)
    const last = await openIn(home)
    await last.press('ctrl+r')
    await last.see(/the draft/)
  })

  test('is stashed with Ctrl+S, and restored', async () => {
    const zotui = await openDemo()
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
    const demo = await openDemo({ home })
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
    await after.see(/^▌ history {2}pars\n +› fix the parser\n +1 of 4/m)
    await after.press('enter')
    await expectDraft(after, 'fix the parser')
  })
})

const ODD = 'it is; echo $((6*7)).txt'

const files = share(async () => {
  const zotui = await openEcho()
  write(zotui.home, 'src/deep/parser.ts', 'src/deep/reader.ts', 'other.ts', 'a.ts', 'b.ts', 'c.ts', 'notes.md')
  if (process.platform !== 'win32') write(zotui.home, ODD)
  return zotui
}, startAfresh)

describe('a file after @', () => {
  test.each(['in a repository', 'outside of one'])('%s: found, taken, and sent as it was typed', async where => {
    const home = lastingHome()
    write(home, 'README.md', 'src/deep/parser.ts', 'build/parser.ts', '.gitignore')
    writeFileSync(join(home.project, '.gitignore'), 'build/\n')
    if (where === 'in a repository') execFileSync('git', ['init', '-q'], { cwd: home.project })
    const zotui = await openIn(home)
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
    expect(logged(home)).toContain('look at @src/deep/parser.ts and mend it')
    await zotui.press('ctrl+r', 'enter')
    await expectDraft(zotui, 'look at @src/deep/parser.ts and mend it')
  })

  test('is listed first if it was used last', async () => {
    // Nothing else was used yet.
    const zotui = await files()
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
      const zotui = await files()
      writeFileSync(join(zotui.cwd, ODD), 'what it says')
      await zotui.type('!cat @it')
      await zotui.see(/› it is; echo/)
      await zotui.press('tab')
      await zotui.gone(/› it is; echo/)
      await zotui.press('enter')
      await zotui.see('what it says')
      expect(zotui.screen().join('\n')).not.toMatch(/\b42\b/)
      await send(zotui, 'hello')
      await zotui.see(/first word/)
      await zotui.type('/export @not')
      await zotui.see(/› notes\.md *$/m)
      await zotui.press('tab')
      await zotui.gone(/› notes\.md *$/m)
      await zotui.press('enter')
      await zotui.see(/notes\.md already exists/)
    },
  )

  test('is completed in the middle of a prompt, folder by folder', async () => {
    const zotui = await files()
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
