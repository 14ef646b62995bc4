/** A script uses `-p` with permissions: nobody is asked, or a program. */
import { describe, expect, test } from 'vitest'
import { run } from './stage.ts'

const ask = { ZOTUI_PERMISSIONS: 'ask' }
const demo = ['--demo', '-p', 'danger']

const eventsOf = (stdout: string): { type: string; [key: string]: unknown }[] =>
  stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

describe('without questions', () => {
  test('-p refuses calls that the UI would ask about, with a line each and exit code 3', async () => {
    const { code, stderr, stdout } = await run(demo, { env: ask })
    expect(code).toBe(3)
    expect(stderr.match(/zotui: refused /g)).toHaveLength(4)
    expect(stderr).toContain('refused edit src/parser.ts')
    expect(stderr).toMatch(/^zotui: -p cannot ask\. To allow such calls, use --permissions edits or allow, or a rule/m)
    expect(stdout).toContain('That was all.')
  })

  test('the events say so', async () => {
    const { code, stdout } = await run([...demo, '--json'], { env: ask })
    const refused = eventsOf(stdout).filter(({ type }) => type === 'call_refused')
    expect([code, refused.length]).toEqual([3, 4])
    expect(stdout).toContain('cannot be asked in this run')
  })

  test('the mode of the command line decides', async () => {
    const { code, stderr } = await run([...demo, '--permissions', 'allow'], { env: ask })
    expect([code, stderr]).toEqual([0, ''])
  })

  test('a call that the mode itself refuses does not count as a question', async () => {
    const { code, stderr } = await run([...demo, '--permissions', 'read'])
    expect(code).toBe(0)
    expect(stderr).not.toContain('refused')
  })
})

const answered = (tool: string, ...args: string[]) => run([...demo, '--permission-tool', tool, ...args], { env: ask })

describe('--permission-tool', () => {
  test('allows', async () => {
    const { code, stdout } = await answered(`cat >/dev/null; echo '{"answer":"allow"}'`, '--json')
    const decided = eventsOf(stdout).filter(({ type }) => type === 'permission_decided')
    expect(code).toBe(0)
    expect(decided).toHaveLength(4)
    expect(decided.every(({ by, allowed }) => by === 'program' && allowed === true)).toBe(true)
  })

  test('reads the question', async () => {
    const tool = `grep -q '"kind":"edit"' && echo '{"answer":"allow"}' || echo '{"answer":"refuse","words":"No commands."}'`
    const { code, stdout, stderr } = await answered(tool, '--json')
    const decided = eventsOf(stdout).filter(({ type }) => type === 'permission_decided')
    expect(code).toBe(3)
    expect(decided.map(({ allowed }) => allowed)).toEqual([false, true, true, false])
    expect(decided[0]?.['words']).toBe('No commands.')
    expect(stderr.match(/the program said so/g)).toHaveLength(2)
  })

  test('stops the turn', async () => {
    const { code, stdout } = await answered(`echo '{"answer":"stop"}'`)
    expect(code).toBe(3)
    expect(stdout).not.toContain('That was all.')
  })

  // Each run asks four times.
  test.each([
    [
      ['exit 4', 'echo yes', 'true', 'kill -9 $$'],
      [
        'the program failed with exit code 4',
        'the program did not answer with JSON',
        'the program gave no answer',
        'the program was ended by SIGKILL',
      ],
    ],
    [
      ['no-such-program-here', `yes '{"answer":"allow"}'`, 'exit', 'exit'],
      ['the program failed with exit code 127', 'the program printed more than'],
    ],
  ])('fails closed: %j', async (answers, lines) => {
    const cases = answers.map((answer, at) => `${at + 1}) ${answer} ;;`)
    const { code, stderr } = await answered(
      `echo >> asked; case $(wc -l < asked | tr -d ' ') in ${cases.join(' ')} esac`,
    )
    expect(code).toBe(3)
    for (const line of lines) expect(stderr).toContain(line)
    expect(stderr.match(/zotui: refused /g)).toHaveLength(4)
  })

  test('needs a command, and -p', async () => {
    expect((await run(['--demo', '-p', 'x', '--permission-tool', ' '])).code).toBe(2)
  })
})
