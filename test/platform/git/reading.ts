/** Repositories of real gits, judged as in the program; what is allowed runs in a shell as the agent would run it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import { thisMachine } from '../../../bin/wiring/start/permissions.ts'
import type { PermissionMode, ToolRequest, Verdict } from '../../../src/agent/permission.ts'
import { createJudge } from '../../../src/app/permissions/judge.ts'
import { readingLine } from '../../../src/platform/git/switches.ts'

export type GitProject = {
  /** The folder of the session. */
  folder: string
  /** A program that leaves a mark, as a setting of git names it. */
  canary: string
  /** Whether that program ran. */
  ran: () => boolean
  /** Forgets that it ran. */
  forget: () => void
  git: (...words: string[]) => string
  /** Runs git in a folder other than the repository. */
  gitIn: (folder: string, ...words: string[]) => string
  write: (file: string, text: string) => void
  /** Judges a command in a mode. `in` is a folder inside of the project. */
  judge: (
    command: string,
    options?: { mode?: PermissionMode; rules?: readonly string[]; deny?: readonly string[]; in?: string },
  ) => Promise<Verdict>
  /** Runs a command unasked, as it is. */
  plain: (command: string) => void
  /** Judges an edit of a file. */
  judgeEdit: (file: string, mode?: PermissionMode) => Promise<Verdict>
  /** Judges a command and runs it if nobody would be asked. The output; null if it did not run. */
  attempt: (
    command: string,
    options?: { in?: string; shell?: string; mode?: PermissionMode; deny?: readonly string[] },
  ) => Promise<string | null>
}

/** Without settings of whoever runs the tests. */
const { env } = process
for (const name of Object.keys(env)) if (name.startsWith('GIT_')) delete env[name]
Object.assign(env, {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
})

function gitIn(at: string, ...words: string[]): string {
  return execFileSync('git', words, { cwd: at, encoding: 'utf8' })
}

/** A folder that is no repository yet. */
export function emptyProject(): GitProject {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'zotui-test-git-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = path.join(root, 'project')
  const mark = path.join(root, 'mark')
  const canary = path.join(root, 'canary')
  mkdirSync(folder)
  writeFileSync(canary, `#!/bin/sh\necho ran >${mark}\ncase $1 in *.file) cat "$1";; *) cat </dev/null;; esac\n`)
  chmodSync(canary, 0o755)
  const requestOf = (fields: Partial<ToolRequest>): ToolRequest => {
    return { id: '1', callId: null, tool: 'bash', kind: 'command', arguments: {}, folder, ...fields }
  }

  async function decided(
    request: ToolRequest,
    mode: PermissionMode,
    rules: readonly string[] = [],
    deny: readonly string[] = [],
  ): Promise<Verdict> {
    const place = { folder, home: root, own: [], ...thisMachine(folder) }
    const from = { source: 'user', place: 'a test' } as const
    const written = [
      ...rules.map(text => ({ effect: 'allow' as const, text, ...from })),
      ...deny.map(text => ({ effect: 'deny' as const, text, ...from })),
    ]
    const judge = createJudge(() => mode, place, {
      rules: () => written,
      add: null,
      addHost: null,
      remove: async () => false,
    })
    await judge.load()
    return judge.decide(request)
  }

  const judge: GitProject['judge'] = (command, { mode = 'read', rules, deny, in: at = '' } = {}) =>
    decided(requestOf({ command, folder: path.join(folder, at) }), mode, rules, deny)

  return {
    folder,
    canary,
    ran: () => existsSync(mark),
    forget: () => rmSync(mark, { force: true }),
    git: (...words) => gitIn(folder, ...words),
    gitIn,
    write(file, text) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      writeFileSync(path.join(folder, file), text)
    },
    judge,
    plain: command => void spawnSync('/bin/sh', ['-c', command], { cwd: folder, timeout: 10_000 }),
    judgeEdit: (file, mode = 'edits') =>
      decided(requestOf({ tool: 'write', kind: 'edit', paths: [path.join(folder, file)] }), mode),
    async attempt(command, { in: at = '', shell = '/bin/sh', ...options } = {}) {
      const verdict = await judge(command, { in: at, ...options })
      rmSync(mark, { force: true })
      if (verdict.verdict !== 'allow') return null
      const line = verdict.box?.kind === 'reading' && verdict.box.git ? readingLine(verdict.box.git, env) : ''
      const { stdout, stderr } = spawnSync(shell, ['-c', line + command], {
        cwd: path.join(folder, at),
        encoding: 'utf8',
        timeout: 10_000,
      })
      return stdout + stderr
    },
  }
}

/** A repository with one commit of `a.txt` and `b.file`, which is changed since. */
export function repository(): GitProject {
  const project = emptyProject()
  project.git('init', '-q', '-b', 'main')
  project.write('a.txt', 'one\n')
  project.write('b.file', 'one\n')
  project.git('add', '.')
  project.git('commit', '-q', '-m', 'first')
  project.write('b.file', 'two\n')
  return project
}
