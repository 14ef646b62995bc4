/** A user mentions files in a prompt, and their content goes along. */
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { findProgram } from '../../src/platform/programs.ts'
import { environment, fill, homeWith, type Home } from '../helpers/home.ts'
import { share } from '../helpers/screen.ts'
import { installZot, openDemo, openEcho, openQuickDemo, program, send, startAfresh } from './stage.ts'

function project(): Home {
  return homeWith({
    'project/notes.md': '# Notes\nthe-content of it\nlast line\n',
    'project/.env': 'KEY=very-secret\n',
    '.config/zotui/config.json': '{ "deny": ["Read(.env)"] }',
    'project/large.txt': 'words and words\n'.repeat(20_000),
    'outside.md': 'outside-content\n',
  })
}

const echo = share(() => openEcho({ home: project(), rows: 40, columns: 100 }), startAfresh)

describe('a mentioned file', () => {
  test('is a chip with its tokens, is sent with the prompt, and is listed below it', async () => {
    const zotui = await echo()
    await zotui.type('@not')
    await zotui.see(/› notes\.md *$/m)
    await zotui.press('enter')
    await zotui.see(/@notes\.md ~\d+ tokens/)
    await zotui.type('what is it?')
    await zotui.press('enter')
    await zotui.see(/▌ @notes\.md what is it\?\n {2}with notes\.md \(~\d+ tokens\)/)
    await zotui.see(/You said: The content of notes\.md, which I mention:/)
    await zotui.see('the-content of it')
    // An earlier prompt comes back as it was typed.
    await zotui.press('up')
    const isBack = () => /^▌ @notes\.md ~\d+ tokens what is it\?$/.test(zotui.screen()[zotui.cursor().row] ?? '')
    await zotui.until('the earlier prompt in the composer', { check: isBack })
  })

  test('is sent as the named lines, and from outside of the folder if it was typed', async () => {
    const zotui = await echo()
    await send(zotui, 'see @notes.md:2, and @~/outside.md:1-9.')
    await zotui.see(/with notes\.md:2 \(~\d+ tokens\), ~\/outside\.md:1 \(~\d+ tokens\)/)
    await zotui.see('The content of notes.md, lines 2 to 2 of 3, which I mention:')
    await zotui.see('outside-content')
  })

  test('is only named where a rule denies it or it is too large', async () => {
    const zotui = await echo()
    await send(zotui, 'see @.env and @large.txt please')
    await zotui.see(/! \.env may not be read: the rule Read\(\.env\) \(.*config\.json line 1\)\. Only its name/)
    await zotui.see(
      /! large\.txt is too large: about 80k tokens, and the limit for files in a prompt is 20k tokens\. Only/,
    )
    await zotui.see('You said: see @.env and @large.txt please.')
    expect(zotui.history().join('\n')).not.toContain('very-secret')
  })

  test('says which names are no files', async () => {
    const zotui = await echo()
    await send(zotui, 'see @src/mian.ts and @missing')
    await zotui.see(
      /▌ see @src\/mian\.ts and @missing\n {2}@missing is no file here\n! @src\/mian\.ts names no file here\./,
    )
  })

  test('is shown in full in the viewer', async () => {
    const zotui = await echo()
    await send(zotui, 'see @notes.md please')
    await zotui.see('You said')
    await zotui.press('ctrl+o')
    await zotui.see(/see @notes\.md please[\s\S]*with notes\.md[\s\S]*the-content of it[\s\S]*You said/)
    await zotui.type('q')
  })

  test('is opened from its chip before it is sent, and the draft stays', async () => {
    const zotui = await echo()
    await zotui.type('@not')
    await zotui.see(/› notes\.md *$/m)
    await zotui.press('enter')
    await zotui.see(/@notes\.md ~\d+ tokens[\s\S]*Tab shows what will be sent/)
    await zotui.press('tab')
    await zotui.see(
      /^ {2}notes\.md, as it will be sent\n\n {2}The content of notes\.md, which I mention:[\s\S]*the-content of it/m,
    )
    await zotui.press('q')
    await zotui.see(/▌ @notes\.md ~\d+ tokens/)
    await zotui.type('what is it?')
    await zotui.see(/tokens what is it\?/)
    // Behind other text Tab opens nothing.
    await zotui.press('tab')
    await zotui.press('enter')
    await zotui.see(/▌ @notes\.md what is it\?/)
  })

  test('is sent with a queued prompt, with its content at that time, and does not choose what the demo answers', async () => {
    const home = homeWith({ 'project/notes.txt': 'to come' })
    const zotui = await openDemo({ home, rows: 40, env: { ZOTUI_DEMO_SPEED: '2' } })
    await send(zotui, 'markdown')
    await zotui.see('A sample')
    await send(zotui, '@notes.txt:1-3 thanks a lot')
    await zotui.see('1 queued')
    fill(home, { 'project/notes.txt': 'crash\n```\nmarkdown\n' })
    await zotui.see(/▌ @notes\.txt:1-3 thanks a lot\n {2}with notes\.txt:1-3/)
    await zotui.see('You are welcome.')
    await zotui.press('ctrl+o')
    await zotui.see(/with notes\.txt[\s\S]*crash[\s\S]*You are welcome/)
    home.remove()
  })

  test('is sent with a prompt of another conversation', async () => {
    const zotui = await echo()
    await send(zotui, '/spawn see @notes.md please')
    await zotui.see(/ 2● /)
    await send(zotui, '/conversations 2')
    await zotui.see(/with notes\.md/)
  })

  test('is sent without the UI, standard error lists the others, and piped input beside a prompt is not searched', async () => {
    const { stdout, stderr } = await answer(['see @notes.md and @.env'], 'look at @~/outside.md')
    expect(stdout).toContain('the-content of it')
    expect(stderr).toMatch(/^zotui: with notes\.md \(~\d+ tokens\)$/m)
    expect(stderr).toMatch(/^zotui: \.env may not be read: .* Only its name was sent\.$/m)
    expect(stdout).toContain('look at @~/outside.md')
    expect(stdout).not.toContain('outside-content')
    expect(stderr).not.toContain('outside.md')
  })

  test('is found in piped input, if that is the prompt', async () => {
    const { stdout } = await answer([], 'see @notes.md')
    expect(stdout).toContain('the-content of it')
  })
})

const ctags = findProgram('ctags', process.env, '/')

describe('a symbol after @#', () => {
  const code = 'import os\n\n\ndef first_one():\n    return 1\n\n\ndef second_one():\n    return 2\n'

  test('is found in the tags file by its letters, and its lines are sent', async () => {
    const tags = 'first_one\tapp.py\t4;"\tf\tend:5\nsecond_one\tapp.py\t/^def second_one():$/;"\tf\n'
    const zotui = await echo()
    fill(zotui.home, { 'project/app.py': code, 'project/tags': tags })
    await zotui.type('see @#fione')
    await zotui.see(/› first_one +function +app\.py:4/)
    await zotui.press('enter')
    await zotui.see(/▌ see @app\.py:4-5 ~\d+ tokens/)
    await zotui.press('enter')
    await zotui.see(/The content of app\.py, lines 4 to 5 of 9/)
    await zotui.see('def first_one')
    expect(zotui.history().join('\n')).not.toContain('second_one')
  })

  test.skipIf(ctags === null)('is found by Universal Ctags without a tags file', async () => {
    const zotui = await openQuickDemo({ home: homeWith({ 'project/app.py': code }) })
    await zotui.type('@#second')
    await zotui.see(/› second_one +function +app\.py:8/)
  })

  test('is reported as missing if nothing lists symbols', async () => {
    const zotui = await openQuickDemo({ home: project(), env: { PATH: '/nowhere' } })
    await zotui.type('@#x')
    await zotui.see('No symbols: no tags file here, and Universal Ctags is not installed.')
  })
})

/** Runs a prompt without the UI. */
async function answer(words: readonly string[], input: string): Promise<{ stdout: string; stderr: string }> {
  const home = project()
  const env = environment(home.path, { ZOTUI_ZOT: installZot(home, 'echo') })
  const options = { cwd: home.project, env, extendEnv: false, reject: false, timeout: 20_000 } as const
  const { stdout, stderr } = await execa(process.execPath, [program, '-p', ...words], { ...options, input })
  home.remove()
  return { stdout, stderr }
}
