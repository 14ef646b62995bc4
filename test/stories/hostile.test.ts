/**
 * An attacker speaks through the agent and wants to take over the terminal: the model, what tools print, errors, extensions, names,
 * pasted text. Nothing of it may act, and all of it is shown.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { open, share, type Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { expectDraft, installZot, letGo, send } from './stage.ts'

/** Texts that would act, and how they are shown. */
const vectors: readonly (readonly [name: string, raw: string, shown: string])[] = [
  ['clipboard, OSC 52 with BEL', '\x1b]52;c;cm0gLXJm\x07', '␛]52;c;cm0gLXJm␇'],
  ['clipboard, OSC 52 with ST', '\x1b]52;p;cm0gLXJm\x1b\\', '␛]52;p;cm0gLXJm␛\\'],
  ['clipboard query', '\x1b]52;c;?\x07', '␛]52;c;?␇'],
  ['clipboard, OSC 52 in C1', '\u009d52;c;AA\u009c', '⟦U+009D⟧52;c;AA⟦U+009C⟧'],
  ['clipboard through tmux', '\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\', '␛Ptmux;␛␛]52;c;eA==␇␛\\'],
  ['title, OSC 0', '\x1b]0;owned\x07', '␛]0;owned␇'],
  ['title, OSC 2', '\x1b]2;owned\x1b\\', '␛]2;owned␛\\'],
  ['title stack', '\x1b[22;0t\x1b[21t', '␛[22;0t␛[21t'],
  ['folder, OSC 7', '\x1b]7;file://x/etc\x07', '␛]7;file://x/etc␇'],
  ['palette, OSC 4', '\x1b]4;1;#000000\x07', '␛]4;1;#000000␇'],
  ['foreground, OSC 10', '\x1b]10;#000000\x07', '␛]10;#000000␇'],
  ['background query, OSC 11', '\x1b]11;?\x07', '␛]11;?␇'],
  ['notification, OSC 9', '\x1b]9;hello\x07', '␛]9;hello␇'],
  ['notification, OSC 777', '\x1b]777;notify;a;b\x07', '␛]777;notify;a;b␇'],
  ['prompt mark, OSC 133', '\x1b]133;A\x07', '␛]133;A␇'],
  ['file, OSC 1337', '\x1b]1337;File=inline=1:AAAA\x07', '␛]1337;File=inline=1:AAAA␇'],
  ['link that is another, OSC 8', '\x1b]8;;http://evil\x07safe\x1b]8;;\x07', '␛]8;;http://evil␇safe␛]8;;␇'],
  ['OSC without an end', '\x1b]0;swallow all', '␛]0;swallow all'],
  ['DCS query', '\x1bP$q"p\x1b\\', '␛P$q"p␛\\'],
  ['DCS without an end', '\x1bPq#0;2;0', '␛Pq#0;2;0'],
  ['DCS in C1', '\u0090$q\u009c', '⟦U+0090⟧$q⟦U+009C⟧'],
  ['APC, kitty picture', '\x1b_Gf=100;AAAA\x1b\\', '␛_Gf=100;AAAA␛\\'],
  ['APC in C1', '\u009fG\u009c', '⟦U+009F⟧G⟦U+009C⟧'],
  ['PM', '\x1b^secret\x1b\\', '␛^secret␛\\'],
  ['SOS', '\x1bXsecret\x1b\\', '␛Xsecret␛\\'],
  ['SOS in C1', '\u0098secret\u009c', '⟦U+0098⟧secret⟦U+009C⟧'],
  ['cursor up', '\x1b[3Aover', '␛[3Aover'],
  ['cursor home', '\x1b[H\x1b[1;1f', '␛[H␛[1;1f'],
  ['cursor saved and restored', '\x1b7\x1b8\x1b[s\x1b[u', '␛7␛8␛[s␛[u'],
  ['reverse index', '\x1bM\x1bD', '␛M␛D'],
  ['erase the screen', '\x1b[2J', '␛[2J'],
  ['erase the scrollback', '\x1b[3J', '␛[3J'],
  ['erase the line', '\x1b[2K', '␛[2K'],
  ['erase in C1', '\u009b2J', '⟦U+009B⟧2J'],
  ['delete lines', '\x1b[5M\x1b[5S', '␛[5M␛[5S'],
  ['repeat', 'x\x1b[9999b', 'x␛[9999b'],
  ['colour', '\x1b[31mred\x1b[0m', '␛[31mred␛[0m'],
  ['concealed', '\x1b[8mhidden', '␛[8mhidden'],
  ['alternate screen', '\x1b[?1049h', '␛[?1049h'],
  ['cursor off', '\x1b[?25l', '␛[?25l'],
  ['frame that never ends', '\x1b[?2026h', '␛[?2026h'],
  ['paste off', '\x1b[?2004l', '␛[?2004l'],
  ['wrap off', '\x1b[?7l', '␛[?7l'],
  ['mouse on', '\x1b[?1003h\x1b[?1006h', '␛[?1003h␛[?1006h'],
  ['focus reports', '\x1b[?1004h', '␛[?1004h'],
  ['insert mode', '\x1b[4h', '␛[4h'],
  ['scroll region', '\x1b[1;3r', '␛[1;3r'],
  ['cursor shape', '\x1b[5 q', '␛[5 q'],
  ['kitty keys', '\x1b[>31u', '␛[>31u'],
  ['modifyOtherKeys', '\x1b[>4;2m', '␛[>4;2m'],
  ['keypad', '\x1b=', '␛='],
  ['printer', '\x1b[5i', '␛[5i'],
  ['window size', '\x1b[8;1;1t', '␛[8;1;1t'],
  ['device attributes', '\x1b[c\x1b[>c\x1b[=c', '␛[c␛[>c␛[=c'],
  ['terminal name', '\x1b[>q', '␛[>q'],
  ['mode query', '\x1b[?2026$p', '␛[?2026$p'],
  ['device status', '\x1b[5n\x1b[6n', '␛[5n␛[6n'],
  ['reset', '\x1bc\x1b[!p', '␛c␛[!p'],
  ['test picture', '\x1b#8', '␛#8'],
  ['DEC graphics', '\x1b(0lqqk\x1b(B', '␛(0lqqk␛(B'],
  ['shift out, shift in', '\x0eabc\x0f', '␎abc␏'],
  ['bells', '\x07\x07', '␇␇'],
  ['null', 'a\0b', 'a␀b'],
  ['answerback, XOFF', 'a\x05\x13b', 'a␅␓b'],
  ['vertical tab, form feed', 'a\vb\fc', 'a␋b␌c'],
  ['backspaces', 'rm\b\bls', 'rm␈␈ls'],
  ['delete', 'a\x7fb', 'a␡b'],
  ['next line, index in C1', 'a\u0085b\u0084c', 'a⟦U+0085⟧b⟦U+0084⟧c'],
  ['right-to-left override', 'user\u202egnp.exe', 'user⟦U+202E⟧gnp.exe'],
  ['isolates', '\u2066a\u2069', '⟦U+2066⟧a⟦U+2069⟧'],
  ['direction marks', 'a\u200eb\u061cc', 'a⟦U+200E⟧b⟦U+061C⟧c'],
  ['zero width', 'pay\u200bpal\ufeff', 'pay⟦U+200B⟧pal⟦U+FEFF⟧'],
  ['tag letters', 'a\u{e0041}b', 'a⟦U+E0041⟧b'],
  ['line separators', 'a\u2028b\u2029c', 'a⟦U+2028⟧b⟦U+2029⟧c'],
]

/** A program's output may change its own line, which takes effect there; colours are left out. */
const inOutput = vectors.filter(([, raw]) => !/\x08|\x1b\[[\d;]*m/.test(raw))

const numbers = vectors.map((_, index) => String(index).padStart(2, '0'))

/** Each of them between two marks by which it is found again. */
const marked = (mark: string): string[] =>
  vectors.map(([, raw], index) => `${mark}${numbers[index]}:${raw}:${mark}${numbers[index]}`)

/** Without what wrapping and the escapes of Markdown make of a text. */
const squeezed = (text: string): string => text.replaceAll(/[\s\\]/g, '')

/** Asserts that these vectors stand on the screen or above it, as text. */
function expectShown(zotui: Screen, mark: string, expected = vectors): void {
  const history = squeezed(zotui.history().join('\n'))
  const missing = vectors.flatMap((vector, index) => {
    const [name, , shown] = vector
    const text = squeezed(`${mark}${numbers[index]}:${shown}:${mark}${numbers[index]}`)
    return !expected.includes(vector) || history.includes(text) ? [] : [`${name}: ${text}`]
  })
  expect(missing).toEqual([])
}

const sequences =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b[ -/]*[0-~]|[\0-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/** Colours, moves within the live zone, lines put in and taken out of it, the marks of a frame. No concealed text. */
const drawing = /^\x1b(?:\[(?:(?!8m)[\d;:]*m|\d*[ABCDGKLMPX@]|0?J|\?(?:25|2026)[hl])|D)$/

const hiding = /[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

/** Sequences of zotui's own: its title, where a prompt and what follows it begin, and the erasing of a frame. Nothing else. */
const ownWords = [
  /\x1b\]2;(?:[●✗?] )?zotui: project\x1b\\/g,
  /\x1b7(?:\x1b\[\d*[AG])*\x1b\]133;(?:A;redraw=0|C)\x1b\\\x1b8/g,
  /\x1b7\x1b\[K\x1b\[B\x1b\[J\x1b8/g,
]

/** All that a program says to the terminal but for drawing and its own words: modes, queries, titles, anything else. */
function saidToTerminal(zotui: Screen): string[] {
  const text = ownWords.reduce((left, own) => left.replaceAll(own, ''), zotui.bytes().toString())
  const said = (text.match(sequences) ?? []).filter(sequence => !drawing.test(sequence))
  return [...said, ...(text.match(hiding) ?? [])]
}

/**
 * The words to every terminal at the start: mark what is pasted, tell when you are looked at, which keys do you send, what
 * colours have you, what are you called, what are you, where is your cursor, put your title aside.
 */
const greeting = [
  '\x1b[?2004h',
  '\x1b[?1004h',
  '\x1b[?u',
  '\x1b]11;?\x1b\\',
  '\x1b[>q',
  '\x1b[>c',
  '\x1b[c',
  '\x1b[6n',
  '\x1b[22;2t',
]

/** Asserts that the terminal has heard nothing that it does not hear in any conversation, and is as it was. */
function expectUntouched(zotui: Screen): void {
  expect(saidToTerminal(zotui)).toEqual(greeting)
  expect(zotui.alternate).toBe(false)
  expect([7, 25, 1004, 2004].filter(mode => !zotui.mode(mode))).toEqual([])
  expect([1, 5, 47, 1000, 1002, 1003, 1006, 1049, 2026].filter(mode => zotui.mode(mode))).toEqual([])
  expect(zotui.cursor().shown).toBe(true)
  // The earlier text is still there, and nothing that the terminal has answered was typed.
  zotui.committedOnce(['$ a shell'])
  expect(zotui.screen().some(row => row.startsWith('▌'))).toBe(true)
}

type Frames = readonly object[]
type Scripts = Readonly<Record<string, Frames | object>>

function writeScripts(home: Home, scripts: Scripts): void {
  for (const [name, frames] of Object.entries(scripts))
    writeFileSync(join(home.path, `${name}.json`), JSON.stringify(frames))
}

async function openHostile(scripts: Scripts, more: Record<string, string> = {}): Promise<Screen> {
  const write = (home: Home): Record<string, string> => {
    writeScripts(home, scripts)
    return { ZOTUI_ZOT: installZot(home, 'hostile'), ...more }
  }
  const zotui = await open({ columns: 120, rows: 40, shell: ['$ a shell', '$ zotui'], env: write })
  await zotui.see(/^▌$/m)
  await zotui.see(/all keys/)
  return zotui
}

/** Nothing of it is forgotten, since the terminal must be untouched after all of it. */
const conversation = share(
  () => openHostile({}),
  async zotui => expectDraft(zotui, ''),
)

const turnsOf = (zotui: Screen): number => zotui.history().filter(row => /^ {2}\d\d:\d\d {3}/.test(row)).length

/** Lets the agent of the program that several tests share play these frames, does this meanwhile, and waits for the end of the turn. */
async function play(name: string, frames: Frames, meanwhile?: (zotui: Screen) => Promise<void>): Promise<Screen> {
  const zotui = await conversation()
  writeScripts(zotui.home, { [name]: frames })
  const [turns, titles] = [turnsOf(zotui), zotui.around.titles.length]
  await send(zotui, name)
  await meanwhile?.(zotui)
  // The title costs less to look at than all that was printed.
  await zotui.until('the title of the end', {
    check: () => zotui.around.titles.length > titles + 1 && !zotui.around.title.startsWith('●'),
  })
  await zotui.until('the end of the turn', { check: () => turnsOf(zotui) > turns })
  return zotui
}

const turn = (...frames: Frames): Frames => [{ type: 'turn_start', step: 1 }, { type: 'assistant_start' }, ...frames]
const over: Frames = [{ type: 'turn_end', stop: 'end' }, { type: 'done' }]

function says(deltas: readonly string[]): Frames {
  return turn(
    ...deltas.map(delta => ({ type: 'text_delta', delta })),
    { type: 'assistant_message', content: [{ type: 'text', text: deltas.join('') }] },
    ...over,
  )
}

type Tool = { name: string; args: unknown; prints?: readonly string[]; result: string; failed?: boolean; gate?: string }

const id = (index: number): string => `t${index}`

/** A step in which the model calls these tools. */
function works(tools: readonly Tool[]): Frames {
  return turn(
    ...tools.flatMap(({ name, args }, index) => [
      { type: 'tool_use_start', id: id(index), name },
      { type: 'tool_use_args', id: id(index), delta: JSON.stringify(args) },
      { type: 'tool_use_end', id: id(index) },
    ]),
    {
      type: 'assistant_message',
      content: tools.map(({ name, args }, index) => ({ type: 'tool_call', id: id(index), name, args })),
    },
    ...tools.map(({ name, args }, index) => ({ type: 'tool_call', id: id(index), name, args })),
    { type: 'turn_end', stop: 'tool_use' },
    ...tools.flatMap(({ prints = [], result, failed = false, gate }, index) => [
      ...prints.map(text => ({ type: 'tool_progress', id: id(index), text })),
      ...(gate === undefined ? [] : [{ gate }]),
      { type: 'tool_result', id: id(index), is_error: failed, content: [{ type: 'text', text: result }] },
    ]),
    { type: 'turn_start', step: 2 },
    ...over,
  )
}

/** Cut in two at every place. */
const cuts = (text: string): [string, string][] =>
  Array.from({ length: text.length - 1 }, (_, index) => [text.slice(0, index + 1), text.slice(index + 1)])

test('a harmless conversation sends the terminal only the sequences of a greeting', async () => {
  const zotui = await conversation()
  await send(zotui, 'hello')
  await zotui.see(turnEnd)
  expectUntouched(zotui)
})

test('escape sequences in pastes are text', async () => {
  const zotui = await conversation()
  const turns = turnsOf(zotui)
  for (const [index, text] of marked('i').entries()) {
    await zotui.paste(`${text} `)
    await zotui.see(`:i${numbers[index]}`)
  }
  await zotui.press('enter')
  await zotui.until('the answer', { check: () => turnsOf(zotui) > turns })
  await expectDraft(zotui, '')
  expectUntouched(zotui)
  const history = squeezed(zotui.history().join('\n'))
  for (const number of numbers) expect(history.split(`i${number}:`)).toHaveLength(3)
  expect(history).toContain('user⟦U+202E⟧gnp.exe')
})

test('there are enough hostile sequences to test', () => {
  expect(new Set(vectors.map(([, raw]) => raw)).size).toBeGreaterThanOrEqual(40)
})

describe('the model writes', () => {
  test('escape sequences', async () => {
    const zotui = await play('words', says(marked('v').map(text => `${text}\n\n`)))
    expectShown(zotui, 'v')
    expectUntouched(zotui)
  })

  test('escape sequences in a terminal that opens links: no link has another target than its text', async () => {
    const links = says([...marked('v').map(text => `${text}\n\n`), '[a page](https://x.org/a)'])
    const zotui = await openHostile({ words: links }, { FORCE_HYPERLINK: '1' })
    await send(zotui, 'words')
    await zotui.see(turnEnd)
    expectShown(zotui, 'v')
    const link = /^\x1b\]8;[\w=:]*;(?:https?:\/\/[!-~]+)?(?:\x1b\\|\x07)$/
    const said = saidToTerminal(zotui)
    expect(said.filter(each => !link.test(each))).toEqual(greeting)
    expect(said.filter(each => each.includes('https://x.org/a'))).not.toEqual([])
  })

  test('escape sequences cut in two at every place', async () => {
    const deltas = vectors.flatMap(([, raw], index) =>
      cuts(raw).flatMap(([head, tail], at) => {
        const mark = `s${numbers[index]}.${at}`
        return [`${mark}:${head}`, `${tail}:${mark}\n\n`]
      }),
    )
    const zotui = await play('cuts', says(deltas))
    expectUntouched(zotui)
    const history = squeezed(zotui.history().join('\n'))
    const missing = vectors.flatMap(([name, raw, shown], index) =>
      cuts(raw).flatMap((_, at) => {
        const mark = `s${numbers[index]}.${at}`
        // Half a character is no text in JSON.
        const isWhole = raw.slice(0, at + 1).isWellFormed()
        return !isWhole || history.includes(squeezed(`${mark}:${shown}:${mark}`)) ? [] : [`${name} at ${at}`]
      }),
    )
    expect(missing).toEqual([])
  })

  test('escape sequences in code, in a table, in a link, in a heading', async () => {
    const [code, table, link, heading] = ['k', 't', 'l', 'h'].map(marked)
    const text = [
      `\`\`\`js\n${code?.join('\n')}\n\`\`\``,
      `| a |\n|---|\n${table?.map(cell => `| ${cell} |`).join('\n')}`,
      ...(link ?? []).map(words => `[${words}](https://x.org/${words})`),
      ...(heading ?? []).map(words => `# ${words}`),
    ].join('\n\n')
    const zotui = await play('places', says([text]))
    expectUntouched(zotui)
    expectShown(zotui, 'k')
    expectShown(zotui, 'h')
    expectShown(zotui, 't')
    expectShown(zotui, 'l')
  })

  test('a lone carriage return that would overwrite text', async () => {
    const zotui = await play('returns', says(['rm -rf everything\rls               \n\nend']))
    await zotui.seeInHistory('everything')
    expectUntouched(zotui)
    expect(zotui.bytes().toString()).not.toMatch(/everything\r(?!\n)/)
  })
})

describe('a tool', () => {
  test('has escape sequences in its name and arguments', async () => {
    const tools = marked('n').flatMap((name, index): Tool[] => [
      { name, args: { query: marked('q')[index] }, result: 'x' },
      { name: 'bash', args: { command: marked('c')[index] }, result: 'x' },
      { name: 'write', args: { path: marked('p')[index], content: marked('w')[index] }, result: 'x' },
    ])
    const before = (await conversation()).history().join('\n')
    const zotui = await play('work', works(tools))
    await zotui.see(new RegExp(`${tools.length} tools`))
    expectUntouched(zotui)
    expectShown(zotui, 'c')
    expectShown(zotui, 'p')
    expectShown(zotui, 'n')
    expectShown(zotui, 'q')
    expect(before).not.toContain('hidden mark')
    expect(zotui.history().join('\n')).toMatch(/\d hidden marks?/)
  })

  test('shows a lone carriage return in a command', async () => {
    const zotui = await play('command', works([{ name: 'bash', args: { command: 'rm -rf /\rls      ' }, result: 'x' }]))
    await zotui.see(/rm -rf \/␍ls/)
    expectUntouched(zotui)
  })

  test('prints escape sequences', async () => {
    const tools = vectors.map(([, raw], index): Tool => {
      const [head, tail] = cuts(raw)[Math.floor(raw.length / 2) - 1] ?? ['', raw]
      const last = index === vectors.length - 1
      return {
        name: 'bash',
        args: { command: 'make' },
        prints: [`p${numbers[index]}:${head}`, `${tail}:p\n`, ...(last ? ['seen \x1b]52;c;eA==\x07 seen\n'] : [])],
        result: `$ make\n\n${marked('r')[index]}\n\n[exit 0]  Took 0.1s`,
        ...(last ? { gate: 'go' } : {}),
      }
    })
    const zotui = await play('prints', works(tools), async working => {
      await working.see('seen ␛]52;c;eA==␇ seen')
      letGo(working, 'go')
    })
    await zotui.see(new RegExp(`${tools.length} tools`))
    expectUntouched(zotui)
    expectShown(zotui, 'r', inOutput)
  })

  test('fails with escape sequences', async () => {
    const tools = marked('e').map((result): Tool => ({ name: 'read', args: { path: 'a' }, result, failed: true }))
    const zotui = await play('fails', works(tools))
    await zotui.see(new RegExp(`${tools.length} tools`))
    expectUntouched(zotui)
    expectShown(zotui, 'e', inOutput)
  })
})

describe('escape sequences around the conversation', () => {
  test('in notices and names of extensions have no effect', async () => {
    const levels = ['info', 'success', 'warn', 'error']
    const frames = marked('x').flatMap((message, index) => [
      { type: 'ext_notify', extension: 'lint', level: levels[index % 4], message },
      { type: 'ext_display', extension: vectors[index]?.[1], text: marked('d')[index] },
      { type: 'ext_clear_notes', extension: `other ${vectors[index]?.[1]}` },
    ])
    const zotui = await play('notes', [...turn(...frames), ...over])
    expectUntouched(zotui)
    expectShown(zotui, 'x', inOutput)
    expectShown(zotui, 'd', inOutput)
  })

  test("in names of models and providers, errors, refusals and zot's last line have no effect", async () => {
    const models = marked('m').map((id, index) => ({
      id,
      provider: vectors[index]?.[1],
      context_window: 1000,
      max_output: 10,
      reasoning: true,
    }))
    const all = marked('e').join(' ')
    const zotui = await openHostile({
      about: { provider: 'p\x1b]0;p\x07', model: 'm\x1b]2;m\x1b\\', version: '1\x1b[2J', models },
      fails: [
        ...turn({ type: 'turn_end', stop: 'error', error: all }, { type: 'error', message: all }, { type: 'done' }),
      ],
      stops: [...turn({ type: 'turn_end', stop: all }, { type: 'done' })],
      refused: [{ refuses: marked('r').join(' ') }],
      dies: [...turn({ dies: marked('d').join(' ') })],
    })
    await zotui.see('m␛]2;m␛')
    await zotui.see('p␛]0;p␇')
    await zotui.press('alt+p')
    for (let at = 0; at < vectors.length; at += 1) {
      await zotui.see(new RegExp(`› m${numbers[at]}:`))
      await zotui.press('down')
    }
    await zotui.press('esc')
    await zotui.see(/^▌$/m)
    expectUntouched(zotui)
    await send(zotui, 'fails')
    await zotui.see('The turn failed')
    await send(zotui, 'stops')
    await zotui.until('the turn to end', {
      check: () => zotui.history().filter(row => /^ {2}\d\d:\d\d/.test(row)).length === 2,
    })
    await send(zotui, 'refused')
    await zotui.see('was rejected')
    await send(zotui, 'dies')
    await zotui.see(/zot has ended/)
    expectUntouched(zotui)
    const shown = squeezed(zotui.history().join('\n'))
    expect(shown).toContain('e00:␛]52;c;cm0gLXJm␇:e00')
    expect(shown).toContain('r00:␛]52;c;cm0gLXJm␇:r00')
    expect(shown).toContain('d00:␛]52;c;cm0gLXJm␇:d00')
  })
})

const called = (id: string, command: string) => ({ type: 'tool_call', id, name: 'bash', args: { command } })
const result = (id: string) => ({ type: 'tool_result', id, is_error: false, content: [] })

test('a command that ran is shown, however its agent reports it', async () => {
  const frames = [
    { type: 'user_message', content: [] },
    called('a', 'echo before the answer'),
    result('a'),
    { type: 'turn_start', step: 1 },
    called('b', 'echo in a first answer'),
    result('b'),
    { type: 'assistant_start' },
    called('c', 'echo in a second answer'),
    { type: 'assistant_start' },
    result('c'),
    called('a/1', 'echo of a tool that has ended'),
    result('a/1'),
    { type: 'turn_end', stop: 'end' },
    { type: 'done' },
    called('d', 'echo after the end'),
  ]
  const zotui = await play('order', frames)
  await zotui.seeInHistory('echo after the end')
  for (const where of ['before the answer', 'in a first answer', 'in a second answer', 'of a tool that has ended'])
    await zotui.seeInHistory(`echo ${where}`)
})
