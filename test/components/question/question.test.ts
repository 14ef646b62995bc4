import { describe, expect, test } from 'vitest'
import type { BoxWant } from '../../../src/agent/permission.ts'
import { answersOf as leavingAnswers } from '../../../src/app/permissions/leaving.ts'
import { createEditor } from '../../../src/composer/editor.ts'
import { wantTitle } from '../../../src/conversation/queries/question-title.ts'
import { dangersOf } from '../../../src/permissions/dangers.ts'
import { linesOfLive } from '../../../components/regions.ts'
import { questionRows } from '../../../components/question/rows.ts'
import { spokenQuestion } from '../../../components/question/spoken.ts'
import { createScreen } from '../../../components/screen/screen.ts'
import { defaultKeymap } from '../../../src/state/keymap.ts'
import type { QuestionView } from '../../../src/state/question.ts'
import { textsOf } from '../../helpers/lines.ts'
import { accepted, chatAfter, prompt, runsTool, started, step } from '../../conversation/events.ts'
import type { AppState } from '../../../src/state/state.ts'
import { commands, stateWith, theme, withChat, withDraft } from '../stage.ts'
import { bash, place } from '../../permissions/policy.ts'
import { callContent, question } from './sample.ts'

const none = (): void => undefined

const answersOf = (wants: BoxWant): QuestionView['answers'] => {
  const acts = { once: none, forSession: none, no: none, more: none, say: none, remove: none }
  const rows = leavingAnswers({ command: 'x' }, wants, acts, { shown: () => '~/.cache/uv', home: '/home/you' })
  const stop = { label: 'No, and stop the turn', detail: '', move: 'leave', short: 'stop', isMinor: true } as const
  return [...rows.map(({ run: _run, ...answer }) => answer), stop]
}

const wanting = (wants: BoxWant, command: string, because = ''): QuestionView =>
  question({
    title: wantTitle(wants),
    content: callContent({ command, arguments: { command }, because, wants }),
    answers: answersOf(wants),
  })

const spoken = (before: QuestionView | null, now: QuestionView | null): string[] =>
  spokenQuestion(before, now, defaultKeymap.names)

const shown = (view: QuestionView, columns: number, rows: number, draft = ''): string[] => {
  const { live } = createScreen(theme, () => commands).draw(withDraft(draft, { question: view }), { columns, rows })
  return textsOf(linesOfLive(live)).map(line => line.trimEnd())
}

const long = Array.from({ length: 30 }, (_, index) => `echo ${index + 1}`).join('\n')

const titleAt = (columns: number): string => {
  const state = stateWith({ question: question() })
  const asked = { ...state, chat: { ...state.chat, permissionMode: 'plan' as const } }
  const { live } = createScreen(theme, () => commands).draw(asked, { columns, rows: 24 })
  return textsOf(linesOfLive(live)).find(line => line.startsWith('?')) ?? ''
}

describe('A question', () => {
  test('has the mode at the end of its title while there is room', () => {
    expect(titleAt(40)).toBe('? Run this command?   mode plan')
    expect(titleAt(24).trimEnd()).toBe('? Run this command?')
  })

  test('in 80 columns has the command, why it is asked, and every answer with its key', () => {
    expect(shown(question(), 80, 24)).toMatchInlineSnapshot(`
      [
        "",
        "? Run this command?",
        "",
        "    npm test",
        "    It writes out.txt.",
        "",
        "  › 1 Yes                           y",
        "    2 Yes, for this session         a    exactly this command",
        "    3 No                            n",
        "    4 Yes, for more or for longer   m    lists what, and for how long",
        "    5 No, and say what to do        w",
        "    6 Edit the command first        e",
        "    7 No, and stop the turn         Esc",
        "  Enter selects   Shift+Tab next mode",
      ]
    `)
  })

  describe('of a command in the sandbox', () => {
    const host: BoxWant = { kind: 'host', host: 'api.github.com', port: 443 }
    const run: BoxWant = {
      kind: 'outside',
      hint: 'error: failed to create directory `/home/you/.cache/uv`: Read-only file system (os error 30)',
      path: '/home/you/.cache/uv',
    }

    test.each([80, 40])('about a host names it, and says that it waits: %i columns', columns => {
      expect(
        shown(wanting(host, 'curl -s https://api.github.com/zen | tee zen.txt'), columns, columns === 40 ? 20 : 24),
      ).toMatchSnapshot('rows')
    })

    test.each([80, 40])('about a run outside says that it ran once, and what is a guess: %i columns', columns => {
      expect(
        shown(wanting(run, 'uv sync', 'the rule Bash(uv:*) (config.json line 4)'), columns, columns === 40 ? 20 : 24),
      ).toMatchSnapshot('rows')
    })

    test('or of the agent itself names the host once', () => {
      const fields = {
        kind: 'other',
        tool: 'network',
        command: undefined,
        arguments: {},
        title: 'api.github.com:443',
      } as const
      const content = callContent({ ...fields, because: '', wants: host })
      const rows = shown(question({ title: wantTitle(host), content, answers: answersOf(host) }), 80, 24)
      expect(rows.slice(1, 5)).toEqual([
        '? Connect to api.github.com:443?',
        '    The agent runs in the sandbox, and waits for this connection.',
        '',
        '  › 1 Yes, this time           y    for this command',
      ])
    })

    test('shows the whole host where its heading has no room for it', () => {
      const long = { ...host, host: `${'api.github.com.'.repeat(5)}evil.example` }
      const rows = shown(wanting(long, 'curl x'), 40, 24)
      expect(rows[1]).toMatch(/^\? Connect to .*…/)
      expect(rows.map(row => row.trim()).join('')).toContain(`${long.host}:443`)
    })

    test('shows what no terminal may see of a host and of an output as marks', () => {
      const text = shown(wanting({ ...run, hint: 'a\u001b[2Jb\u202ec' }, 'x'), 80, 24).join('\n')
      expect(text).not.toMatch(/[\u001b\u202e]/)
    })

    test('is spoken with all of this', () => {
      expect(spoken(null, wanting(host, 'curl x'))).toMatchSnapshot('a host')
      expect(spoken(null, wanting(run, 'uv sync'))).toMatchSnapshot('a run outside')
    })
  })

  test('names the keys that scroll only where there is more to see', () => {
    const command = long.split('\n').slice(0, 6).join('\n')
    const short = question({ content: callContent({ command }) })
    expect(shown(short, 100, 30).join('\n')).toMatch(/echo 6\b[^]*Enter selects {3}Shift\+Tab/)
    const whole = question({ content: callContent({ command: long }) })
    expect(shown(whole, 100, 30).join('\n')).toMatch(/PageUp, PageDown scroll/)
  })

  test('about a write that changes nothing says so', () => {
    const request = { tool: 'write', kind: 'edit', command: undefined, diff: '' } as const
    const view = question({ content: callContent(request, { paths: ['a.txt'] }) })
    for (const columns of [80, 40]) expect(shown(view, columns, 24)).toContain('    Same content, nothing to show.')
  })

  test('for the mode marks a call that it cuts', () => {
    const content = { kind: 'mode', folder: '~/a', call: `bash ${'word '.repeat(60)}end`, isMore: false } as const
    const rows = shown(question({ content }), 80, 24)
    expect(rows.filter(row => row.includes('word'))).toHaveLength(3)
    expect(rows.findLast(row => row.includes('word'))).toMatch(/…$/)
    expect(shown(question({ content: { ...content, call: 'bash word' } }), 80, 24).join('\n')).not.toContain('…')
  })

  test('in 120 columns says what is dangerous and what else waits', () => {
    const content = callContent({}, { dangers: ['deletes folders (rm -r)'], others: ['edit src/a.ts'], folder: '/tmp' })
    expect(shown(question({ content }), 120, 40)).toMatchInlineSnapshot(`
      [
        "",
        "? Run this command?   question 1 of 2",
        "",
        "    npm test",
        "    in /tmp",
        "  ! deletes folders (rm -r)",
        "    It writes out.txt.",
        "    then: edit src/a.ts",
        "",
        "  › 1 Yes                           y",
        "    2 Yes, for this session         a    exactly this command",
        "    3 No                            n",
        "    4 Yes, for more or for longer   m    lists what, and for how long",
        "    5 No, and say what to do        w",
        "    6 Edit the command first        e",
        "    7 No, and stop the turn         Esc",
        "  Enter selects   Left, Right: the others   Shift+Tab next mode",
      ]
    `)
  })

  test('in 40 columns and 20 rows keeps the command in sight: minor answers become key hints', () => {
    expect(shown(question({ content: callContent({ command: long }) }), 40, 20)).toMatchInlineSnapshot(`
      [
        "",
        "? Run this command?",
        "    echo 1",
        "    echo 2",
        "    echo 3",
        "    echo 4",
        "    echo 5",
        "    echo 6",
        "    +24 lines, PageDown shows them",
        "    It writes out.txt.",
        "",
        "  › 1 Yes                           y",
        "    2 Yes, for this session         a",
        "    3 No                            n",
        "    4 Yes, for more or for longer   m",
        "    5 No, and say what to do        w",
        "  e edit   Esc stop   Enter selects",
      ]
    `)
  })

  test('has the draft in its own rows, with the caret in it, and says what Enter does with it', () => {
    const state = withDraft('and then the lexer', { question: question() })
    const rows = questionRows(state, question(), { theme, columns: 40 }, 20)
    expect(rows.lines[rows.row]?.text).toBe('> and then the lexer')
    expect(rows.column).toBe('> and then the lexer'.length)
    expect(rows.below.map(({ text }) => text)).toEqual(['  Enter sends your text, no answer'])
  })

  test('breaks its reason between words, at most into three rows', () => {
    const because = `it reads /etc/hostname, outside the folder: cat /etc/hostname ${'a '.repeat(60)}`
    const lines = shown(question({ content: callContent({ because }) }), 40, 24)
    const from = lines.findIndex(line => line.includes('It reads'))
    expect(lines.slice(from, from + 4)).toEqual([
      '    It reads /etc/hostname, outside the',
      '    folder: cat /etc/hostname a a a a a',
      '    a a a a a a a a a a a a a a a a a a…',
      '',
    ])
  })

  test('keeps the word "Reason" before a rule, which is no sentence', () => {
    const lines = shown(question({ content: callContent({ because: 'the rule Bash(rm:*) (config.json)' }) }), 80, 24)
    expect(lines).toContain('    Reason: the rule Bash(rm:*) (config.json)')
  })

  test.each([
    [80, '? Load skill reviewing?', []],
    [22, '? Load skill reviewi…', ['    name: reviewing']],
  ])('names a skill in %i columns: in its title, and where that is cut below it', (columns, title, rows) => {
    const request = { kind: 'read' as const, tool: 'skill', command: undefined, arguments: { name: 'reviewing' } }
    const because = 'it may read files outside this folder'
    const lines = shown(
      question({ title: 'Load skill reviewing?', content: callContent({ ...request, because }) }),
      columns,
      24,
    )
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(title)
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('It may read files outside this folder.')
    expect(lines.filter(line => line.includes('name:'))).toEqual(rows)
  })

  test('gives no reason that a warning gives already', () => {
    const because = 'cannot be parsed: a quote is open'
    const content = callContent({ because }, { dangers: [because] })
    expect(shown(question({ content }), 80, 24).filter(line => line.includes(because))).toEqual([`  ! ${because}`])
  })

  test('breaks the title of the agent between words', () => {
    const title = 'Count graphemes instead of UTF-16 units'
    const content = callContent({ kind: 'other', command: undefined, arguments: {}, title, because: '' })
    const lines = shown(question({ content }), 40, 20)
    expect(lines).toContain('    Count graphemes instead of UTF-16')
    expect(lines).toContain('    units')
  })

  test('shows a path once, where the title of the agent is only that path', () => {
    const diff = '--- a/note\n+++ b/note\n@@ -1,1 +1,1 @@\n-one\n+two\n'
    const edit = { kind: 'edit', command: undefined, diff, title: '/home/you/project/note', because: '' } as const
    const content = callContent({ ...edit, paths: ['/home/you/project/note'] }, { paths: ['note'] })
    expect(shown(question({ content }), 80, 24).filter(line => line.includes('note'))).toEqual(['    note'])
    // The title is all that there is to decide by if no path is shown.
    const bare = callContent({ ...edit, diff: undefined, arguments: {}, paths: ['/home/you/project/note'] })
    expect(shown(question({ content: bare }), 80, 24)).toContain('    /home/you/project/note')
  })

  test('says a path once: below its title only where that has no room for all of it', () => {
    const path = 'packages/parser/src/grammar.ts'
    const diff = `--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,1 @@\n-one\n+two\n`
    const edit = { kind: 'edit' as const, diff, because: '', paths: [path] }
    const pathsIn = (title: string, columns: number, paths = [path]): string[] => {
      const content = callContent({ ...edit, command: undefined, title: `Edit ${path}` }, { paths })
      return shown(question({ title, content }), columns, 24).filter(line => line.includes('grammar.ts'))
    }
    expect(pathsIn(`Edit ${path}?`, 80)).toEqual([`? Edit ${path}?`])
    expect(pathsIn(`Edit ${path}?`, 34)).toEqual(['? Edit packages/…/src/grammar.ts?', `    ${path}`])
    expect(pathsIn('Allow what, and for how long?', 80)).toEqual([`    ${path}`])
    expect(pathsIn(`Edit ${path} and 1 more file?`, 80, [path, 'b.ts'])).toContain(`    ${path}`)
    // What an agent calls it beside the name is not left out.
    const content = callContent({ ...edit, command: undefined, title: `Delete ${path}` }, { paths: [path] })
    expect(shown(question({ title: `Edit ${path}?`, content }), 80, 24)).toContain(`    Delete ${path}`)
    expect(spoken(null, question({ title: `Edit ${path}?`, content })).filter(line => line.endsWith(path))).toEqual([
      `Delete ${path}`,
    ])
  })

  test('leaves out the path among other arguments, where its title says it', () => {
    const request = { kind: 'edit', command: undefined, because: '', arguments: { path: 'a.ts', text: 'one' } } as const
    const content = callContent(request, { paths: ['a.ts'] })
    const lines = shown(question({ title: 'Edit a.ts?', content }), 80, 24)
    expect(lines).toContain('    text: one')
    expect(lines.filter(line => line.includes('a.ts'))).toEqual(['? Edit a.ts?'])
    expect(shown(question({ title: 'Edit b/a.ts?', content }), 80, 24)).toContain('    path: a.ts')
  })

  test('in few rows still has its title and an answer', () => {
    expect(shown(question(), 40, 6)).toMatchInlineSnapshot(`
      [
        "? Run this command?",
        "    npm test",
        "    It writes out.txt.",
        "›y yes  a session  n no  m more  w say",
        " e edit  Esc stop",
      ]
    `)
  })

  test('has no chosen row while keys belong to the draft', () => {
    for (const isArmed of [true, false]) {
      const lines = shown(question({ isArmed }), 80, 24, 'and then the lexer')
      expect(lines.some(line => line.includes('›'))).toBe(false)
    }
    expect(shown(question({ isArmed: false }), 80, 24).some(line => line.includes('›'))).toBe(false)
  })

  test('shows all of a long command, a page at a time', () => {
    const view = question({ content: callContent({ command: long }) })
    const seen = new Set<string>()
    for (let scroll = 0; scroll < 30; scroll += 1) {
      for (const line of shown({ ...view, scroll }, 80, 24)) seen.add(line.trim())
    }
    for (const line of long.split('\n')) expect(seen).toContain(line)
  })

  test('shows hidden and turning characters, and every blank line of a command', () => {
    const lines = shown(question({ content: callContent({ command: 'a\u202Eb\n\n\u200Bc\u001B[2Jd' }) }), 80, 24)
    expect(lines.join('\n')).toContain('    a⟦U+202E⟧b\n\n    ⟦U+200B⟧c␛[2Jd')
  })

  test('shows the environment and the folder that the command does not name', () => {
    const command = { command: 'make', env: { CC: 'evil' }, timeout: 5, description: 'builds' }
    const lines = shown(
      question({ content: callContent({ arguments: command, command: 'make' }, { folder: '/srv' }) }),
      80,
      24,
    )
    expect(lines.map(line => line.trim())).toEqual(expect.arrayContaining(['in /srv', 'CC=evil', 'timeout 5']))
    expect(lines.join()).not.toContain('description')
  })

  test('has the caret at the chosen row, or in the text that is typed', () => {
    const context = { theme, columns: 80 }
    const chosen = questionRows(stateWith(), question({ selected: 2 }), context, 20)
    expect([...chosen.lines, ...chosen.below][chosen.row]?.text).toContain('› 3 No')
    const typed = { label: 'No, and tell the agent:', editor: createEditor('use pnpm') }
    const rows = questionRows(stateWith(), question({ typed }), context, 20)
    expect(rows.lines[rows.row]?.text).toBe('> use pnpm')
    expect(rows.column).toBe('> use pnpm'.length)
  })
})

test('What a grant means is never cut: the chosen one is shown in full below the answers, with its warning', () => {
  const warning = 'it matches anything: every command runs without asking'
  const answers = [
    { label: 'Commands that begin with npm test', detail: '', move: null },
    { label: 'All calls of bash', detail: '', warning, move: null },
  ]
  const rows = (selected: number): string[] => shown(question({ answers, selected }), 40, 20)
  expect(rows(0).slice(-5, -1)).toEqual([
    '  › 1 Commands that begin with npm te…',
    '    2 All calls of bash',
    '      Commands that begin with npm test',
    '',
  ])
  expect(rows(1).slice(-3, -1)).toEqual(['  ! it matches anything: every command', '    runs without asking'])
  expect(shown(question({ answers, selected: 1 }), 100, 20)).toContain(`  ! ${warning}`)
  expect(spoken(question({ answers }), question({ answers, selected: 1 }))).toEqual([
    `2. All calls of bash, ${warning}`,
  ])
})

test('The heading names the file, with less of its folders where it is narrow', () => {
  const path = 'packages/parser/src/grammar.ts'
  const content = callContent({ kind: 'edit', diff: '', because: '' }, { paths: [path] })
  const view = question({ title: `Edit ${path}?`, content })
  const heading = (columns: number): string | undefined => shown(view, columns, 20).find(line => line.startsWith('?'))
  expect(heading(80)).toBe(`? Edit ${path}?`)
  expect(heading(40)).toBe(`? Edit ${path}?`)
  expect(heading(34)).toBe('? Edit packages/…/src/grammar.ts?')
})

const asked = (command: string): QuestionView =>
  question({ content: callContent({ command, because: '' }, { dangers: dangersOf(bash(command), place) }) })

test.each([
  [80, 'question 1 of 3'],
  [40, 'question 1 of 3'],
  [20, '1/3'],
])('in %i columns the title stays beside the count of questions', (columns, count) => {
  const content = callContent({}, { others: ['edit a.ts', 'write b.ts'] })
  const title = shown(question({ content }), columns, 8).find(line => line.startsWith('?')) ?? ''
  expect(title).toMatch(/^\? Run this co/)
  expect(title.endsWith(count)).toBe(true)
})

test('the count of questions has words only where the title is whole beside them', () => {
  const view = question({ title: 'Allow what, and for how long?', content: callContent({}, { others: ['edit a.ts'] }) })
  const title = (columns: number): string => shown(view, columns, 20).find(line => line.startsWith('?')) ?? ''
  expect(title(60)).toMatch(/^\? Allow what, and for how long\? +question 1 of 2$/)
  expect(title(40)).toBe('? Allow what, and for how long?   1/2')
})

describe("An agent's own answer", () => {
  const always = "Yes, and don't ask again for commands that start with `npm run`"
  const answers: QuestionView['answers'] = [
    { label: 'Yes, proceed', isWhole: true, short: 'once', detail: 'allows it once', move: 'yes' },
    { label: always, isWhole: true, short: 'always', detail: 'allows it always', move: 'again' },
  ]
  test.each([120, 80, 40])('is shown whole in %i columns: it says what is allowed', columns => {
    const lines = shown(question({ answers }), columns, 20)
    const at = lines.findIndex(line => line.includes('2 Yes, and'))
    expect(lines[at]).toMatch(/ a( {4}allows it always)?$/)
    expect(
      lines
        .slice(at, at + 3)
        .map(line => line.replace(/ a( {4}allows it always)?$/, '').trim())
        .join(' '),
    ).toContain(always)
  })

  test('of any length has four rows at most', () => {
    const endless = { label: 'word '.repeat(500), isWhole: true, detail: '', move: 'yes' } as const
    expect(shown(question({ answers: [endless] }), 80, 24).filter(line => line.includes('word word'))).toHaveLength(4)
  })

  test('without a key is shown once', () => {
    const keyless = { label: always, isWhole: true, detail: '', move: null }
    const words = shown(question({ answers: [keyless] }), 40, 20)
      .join(' ')
      .replace(/\s+/g, ' ')
    expect(words.split(always)).toHaveLength(2)
  })
})

describe('A danger below the fold', () => {
  test.each([
    [80, 24, ['    ls', '    (799 empty lines)', '    rm -rf ~', '  ! deletes folders (rm -r): rm -rf ~']],
    [20, 8, ['    ls', '  ! deletes fold… +2']],
  ])('of many empty lines is above it in %i columns and %i rows', (columns, rows, lines) => {
    expect(shown(asked(`ls${'\n'.repeat(800)}rm -rf ~`), columns, rows)).toEqual(expect.arrayContaining(lines))
  })

  test.each([
    [80, 24, ['  ! deletes folders (rm -r): rm -rf a', '  ! runs as another user (sudo): sudo x']],
    [40, 12, ['  ! deletes folders (rm -r): rm -rf a', '  ! runs as another user (sudo): sud… +1']],
    [20, 8, ['  ! deletes fold… +2']],
  ])('of many other lines is above it in %i columns and %i rows', (columns, rows, lines) => {
    const command = `ls\n${':\n'.repeat(400)}rm -rf a; sudo x\n${':\n'.repeat(400)}python evil.py`
    const all = shown(asked(command), columns, rows)
    expect(all).toEqual(expect.arrayContaining(lines))
    expect(columns < 80 || all.some(line => line.endsWith('it runs ls, :, rm, sudo, x, python'))).toBe(true)
  })
})

describe('For a screen reader a question', () => {
  test('is said in full, with numbered answers', () => {
    expect(spoken(null, question({ content: callContent({}, { dangers: ['sends a secret'] }) }))).toEqual([
      'Run this command?',
      'npm test',
      'Danger: sends a secret',
      'It writes out.txt.',
      '1. Yes',
      '2. Yes, for this session, exactly this command',
      '3. No',
      '4. Yes, for more or for longer, lists what, and for how long',
      '5. No, and say what to do',
      '6. Edit the command first',
      '7. No, and stop the turn',
      'Number, or Up and Down and Enter.',
    ])
  })

  test('says when it takes keys, the row that is chosen, and that it is over', () => {
    expect(spoken(question({ isArmed: false }), question())).toEqual(['answer now'])
    expect(spoken(question(), question({ selected: 2 }))).toEqual(['3. No'])
    expect(spoken(question(), null)).toEqual(['answered'])
  })

  test('says the lines of a change', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n'
    const content = callContent({ kind: 'edit', tool: 'edit', diff, command: undefined as never }, { paths: ['x'] })
    delete content.request.command
    expect(spoken(null, question({ content })).slice(1, 4)).toEqual(['x', 'removed: old', 'added: new'])
  })

  test.each([
    ['a command with its surroundings', { arguments: { env: { CI: '1' }, cwd: 'x' } }, { folder: '/other' }],
    ['the command that the user wrote', {}, { changed: 'make' }],
    ['files to read', { kind: 'read', command: undefined, title: 'Reading' }, { paths: ['a.ts', 'b.ts'] }],
    ['a change that changes nothing', { kind: 'edit', command: undefined, diff: '' }, { paths: ['a.ts'] }],
    ['another tool', { kind: 'other', command: undefined, arguments: { query: 'zot' } }, {}],
  ] as const)('says to a screen reader all that the screen shows: %s', (_, request, more) => {
    const view = question({ content: callContent(request, more), answers: [] })
    const rows = shown(view, 120, 40).filter(row => /^ {4}\S/.test(row))
    const said = spoken(null, view)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(said).toContain(row.trim())
  })
})

test('A call that is asked about is in the question alone, and in the conversation while there is another question', () => {
  const content = callContent()
  const chat = chatAfter(
    started,
    prompt('go'),
    accepted,
    step(1),
    ...runsTool('call_1', 'bash', { command: 'npm test' }),
    content.request,
  )
  const rows = (changes: Partial<AppState>): string[] => {
    const { live } = createScreen(theme, () => commands).draw(withChat(chat, changes), { columns: 80, rows: 24 })
    return textsOf(linesOfLive(live)).filter(line => line.includes('npm test'))
  }
  expect(rows({ question: question({ content }) })).toEqual(['    npm test'])
  expect(rows({})).toEqual([expect.stringMatching(/^○ bash +npm test$/)])
  expect(rows({ question: question({ content: { kind: 'plan', text: '' } }) })).toHaveLength(1)
})
