/** Sessions: what was said is there again after leaving, after a kill, and in the list of those of before. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { environment, type Home } from '../helpers/home.ts'
import { exitAtRest, homeAfter, installZot, lastingHome, openIn, program, send } from './stage.ts'

const STATE = ['.local', 'state', 'zotui']

/** The content of the sessions' files, the oldest first. */
function files(home: Home): string[] {
  const root = join(home.path, ...STATE, 'sessions')
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const own = names.filter(name => /\d{6}-[\da-f]{8}\.jsonl$/.test(name))
  return own.map(name => readFileSync(join(root, name), 'utf8')).toSorted((a, b) => createdAt(a) - createdAt(b))
}

const createdAt = (text: string): number => Number(/"createdAt":(\d+)/.exec(text)?.[1])

/** A home with three conversations, from one run. */
const afterThree = homeAfter(async home => {
  const zotui = await openIn(home)
  const said = [['fix the parser', 'and its tests'], ['test the parser with more words than fit'], ['write the docs']]
  for (const [at, prompts] of said.entries()) {
    if (at > 0) await send(zotui, '/clear')
    for (const prompt of prompts) {
      await send(zotui, prompt)
      await zotui.see(`You said: ${prompt}.`)
    }
  }
  await zotui.close()
})

describe('resuming', () => {
  test('kill -9 and leaving while streaming keep the text, and the next prompt continues below it', async () => {
    const home = lastingHome()
    const before = await openIn(home, { agent: 'deaf' })
    await send(before, 'go on for ever')
    await before.see('I hear nothing.')
    await before.until('the answer on disk', { check: () => files(home).join('').includes('I hear nothing.') })
    before.kill('SIGKILL')
    await before.close()

    // The first start says it, and the second no longer.
    const told = /zotui was killed in this folder\. To resume\s+the session, use\s+\/resume\./
    const first = await openIn(home, { agent: 'deaf' })
    await first.see(told)
    await send(first, 'leave me')
    await first.see('I hear nothing.')
    await first.press('ctrl+d', 'ctrl+d')
    await first.exit()
    await first.close()

    const after = await openIn(home, { rows: 50 })
    await after.see(/anthropic\//)
    expect(after.history().join('\n')).not.toMatch('zotui was killed')
    await send(after, '/resume')
    await after.see(/› leave me .*\n +go on for ever /)
    await after.press('enter')
    await after.see(
      /leave me\n+.*I hear nothing\..*(Stopped\.|Interrupted: zotui exited).*Resumed the session: 1 turn\./s,
    )
    // The agent is not blamed.
    expect(after.history().join('\n')).not.toContain('the agent ended')
    await send(after, '/resume')
    await after.see(/› leave me .* this one/)
    await after.type('ever')
    await after.see(/› go on for ever /)
    await after.press('enter')
    await after.see(
      /go on for ever\n+.*I hear nothing\..*Interrupted: zotui exited during this turn\..*Resumed the session: 1 turn\./s,
    )
    await after.see(/next\s+prompt\s+includes[^]*1\s+turn/)
    await send(after, 'and now')
    await after.see('You said: and now.')
    await after.close()
    const [killed, left, ...others] = files(home)
    expect(others).toEqual([])
    expect(killed).toMatch(/"go on for ever".*"and now"/s)
    expect(left).not.toContain('and now')
  })

  test('problems at the start are printed below the resumed session', async () => {
    const home = await afterThree()
    const folder = join(home.path, '.config', 'zotui')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.json'), '{ "maxCostUsd": "much" }')
    const after = await openIn(home, { args: ['--continue'] })
    await after.see(/You said: write the docs\..*Resumed the session: 1 turn.*maxCostUsd/s)
  })

  test('zotui says how to resume the session at the end, and that works; a key in the environment is neither shown nor saved', async () => {
    const home = lastingHome()
    const secret = 'sk-ant-0123456789abcdef'
    const env = { ANTHROPIC_API_KEY: secret }
    const before = await openIn(home, { env })
    await send(before, `my key is ${secret}`)
    await before.see('You said: my key is sk-[hidden].')
    await exitAtRest(before)
    await before.exit()
    expect(files(home).join('')).not.toContain(secret)
    // Only the user's own line, while it stood in the composer, had it on the screen.
    expect(before.screen().join('\n')).not.toContain(secret)
    const [, id = ''] = /Resume this session with: zotui --resume (\S+)/.exec(before.history().join('\n')) ?? []
    const after = await openIn(home, { args: ['--resume', id] })
    await after.see(/my key is sk-\[hidden]\n+.*You said: my key is sk-\[hidden]\./s)
    await send(after, 'two')
    await after.see('You said: two.')
  })

  test('an empty session leaves no message and no file', async () => {
    const home = lastingHome()
    const zotui = await openIn(home)
    await zotui.press('ctrl+d')
    await zotui.exit()
    expect(zotui.history().join('\n')).not.toContain('--resume')
    expect(readdirSync(join(home.path, ...STATE))).not.toContain('sessions')
  })

  test('--continue opens what was on the screen last; conversations beside it and those of -p are left out, and the list marks them', async () => {
    const home = lastingHome()
    const before = await openIn(home)
    await send(before, 'on the screen')
    await before.see('You said: on the screen.')
    await send(before, '/spawn beside it')
    await before.see(/Started conversation 2/)
    await before.see(/ 2●/)
    await send(before, '/exit')
    await before.exit()
    const env = environment(home.path, { ZOTUI_ZOT: installZot(home, 'echo') })
    const { stdout } = await execa(process.execPath, [program, '-p', 'without a screen'], {
      cwd: home.project,
      env,
      extendEnv: false,
      stdin: 'ignore',
    })
    expect(stdout).toContain('You said: without a screen.')
    const after = await openIn(home, { args: ['--continue'] })
    await after.see(/on the screen\n+.*Resumed the session: 1 turn/s)
    await send(after, '/resume')
    await after.see(/without a screen +of -p .*1 turn/)
    await after.see(/beside it +spawned .*1 turn/)
    await after.see(/on the screen +this one/)
  })

  test('a second zotui in the folder continues with a fork, which the list shows below its parent', async () => {
    const home = lastingHome()
    const one = await openIn(home)
    await send(one, 'from one')
    await one.see('You said: from one.')
    const two = await openIn(home, { args: ['-c'] })
    await two.see(/Resumed the session: 1 turn\. It is open elsewhere, so you continue in\s+a\s+fork\./)
    await send(two, 'from two')
    await two.see('You said: from two.')
    await send(one, 'again one')
    await one.see('You said: again one.')
    await send(two, '/rename the branch')
    await send(two, '/resume')
    await two.see(/› from one .*\n +└ the branch /)
    await one.close()
    await two.close()
    const [first = '', second = ''] = files(home)
    expect(first).toMatch(/"from one".*"again one"/s)
    expect(first).not.toContain('from two')
    expect(second).toMatch(/"parent":\{.*"from one".*"from two"/s)
    expect(second).not.toContain('again one')
  })

  test('/clear starts a new session file', async () => {
    const [first = '', second = '', third = ''] = files(await afterThree())
    expect(first).toMatch(/"fix the parser".*"and its tests"/s)
    expect(first).not.toContain('with more words')
    expect(second).toContain('with more words')
    expect(second).not.toMatch(/and its tests|write the docs/)
    expect(third).toContain('"write the docs"')
    expect(third).not.toContain('with more words')
  })

  test('a read-only folder is reported once, and the conversation continues', async () => {
    const home = lastingHome()
    mkdirSync(join(home.path, '.local', 'state'), { recursive: true })
    writeFileSync(join(home.path, ...STATE), '')
    const zotui = await openIn(home)
    await send(zotui, 'one')
    await zotui.see('You said: one.')
    await zotui.see(/The session cannot be saved right now/)
    rmSync(join(home.path, ...STATE))
    await send(zotui, 'two')
    await zotui.see('You said: two.')
    await zotui.close()
    expect(files(home).join('')).toMatch(/"one".*"two"/s)
    expect(
      zotui
        .history()
        .join('\n')
        .match(/cannot be saved right now/g),
    ).toHaveLength(1)
  })
})

describe('/resume', () => {
  test('lists the sessions newest first, searches by letters and words, and resumes one', async () => {
    const home = await afterThree()
    // Several sessions match.
    const zotui = await openIn(home, { args: ['-r', 'parser'] })
    await zotui.see(/^▌ sessions {2}parser\s+› test the parser .*\n +fix the parser /m)
    await zotui.press('esc')
    await zotui.gone('sessions  parser')
    await send(zotui, 'something else')
    await zotui.see('You said: something else.')
    await send(zotui, '/resume')
    await zotui.see(
      /^▌ sessions\s+› something else .* this one .*\n +write the docs .*\n +test the .*\n +fix the parser .* 2 turns /m,
    )
    await zotui.type('and its')
    await zotui.see(
      /^▌ sessions {2}and its\n +› fix the parser .* 2 turns .*\n\n +last +and its tests\n +answer +You said: and its tests\./m,
    )
    await zotui.press('enter')
    await zotui.see('Resumed the session: 2 turns.')
    await zotui.see(/fix the parser\n+.*You said: fix the parser\.\n.*and its tests/s)
    await send(zotui, 'and more')
    await zotui.see('You said: and more.')
    await zotui.close()
    expect(files(home)[0]).toMatch(/"fix the parser".*"and its tests".*"and more"/s)
    expect(files(home)[3]).not.toContain('and more')
  })

  test('a key lists the sessions of all folders, and resuming one of them creates a fork', async () => {
    const home = await afterThree()
    const elsewhere = join(home.path, 'elsewhere')
    mkdirSync(elsewhere)
    const here = await openIn(home, { cwd: elsewhere })
    await send(here, '/sessions')
    await here.see('no sessions in this folder yet')
    await here.press('ctrl+a')
    await here.see(/^▌ sessions of all folders\s+› write the docs +project/m)
    await here.press('enter')
    await here.see(/It belongs to another folder, so you continue\s+in\s+a\s+fork\./)
    // The words of zotui at its own start stand there once.
    await here.seeInHistory('zot edits files')
    expect(
      here
        .history()
        .join('\n')
        .match(/zot edits files/g),
    ).toHaveLength(1)
  })
})

describe('--resume', () => {
  test('resumes the session that matches the text', async () => {
    const zotui = await openIn(await afterThree(), { args: ['--resume', 'fix'] })
    await zotui.see('You said: fix the parser.')
  })

  test('opens the list, which stays in the screen, and renames and deletes sessions, but not the open one', async () => {
    const zotui = await openIn(await afterThree(), { args: ['--resume'], columns: 120, rows: 40 })
    await zotui.see(/^▌ sessions\s+› write the docs /m)
    for (const [columns, rows] of [
      [40, 20],
      [80, 24],
    ] as const) {
      zotui.resize(columns, rows)
      await zotui.press('up')
      await zotui.see(/› fix the parser /)
      await zotui.press('down')
      await zotui.see(/› write the docs /)
    }
    await zotui.press('ctrl+e')
    await zotui.see('new name')
    await zotui.type('The third')
    await zotui.press('enter')
    await zotui.see(/› The third .*\n +test the parser .*\n +fix the parser /)
    await zotui.see(/began +write the docs/)
    await zotui.press('up', 'ctrl+d')
    await zotui.see('Delete "fix the parser"?')
    await zotui.press('esc')
    await zotui.see(/› fix the parser /)
    await zotui.press('ctrl+d', 'down', 'enter')
    await zotui.gone(/^ +(› )?fix the parser /m)
    await zotui.see(/› test the parser /)
    await zotui.press('up')
    await zotui.see(/› The third /)
    await zotui.press('enter')
    await zotui.see('Resumed the session "The third": 1 turn.')
    await send(zotui, '/rename A better name')
    await zotui.see('This session is now called "A better name".')
    await send(zotui, '/resume')
    await zotui.see(/› A better name .* this one/)
    await zotui.press('ctrl+d', 'down', 'enter')
    await zotui.see('That session is open')
  })
})
