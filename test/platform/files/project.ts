/** A project for one test. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'

export type Project = {
  folder: string
  /** Makes files, each with its path as content; one that ends with a slash is a directory. */
  write: (...paths: string[]) => void
  git: (...args: string[]) => void
}

/** A new folder, gone when the test is. */
export function makeProject(): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-files-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return {
    folder,
    write(...paths) {
      for (const path of paths) {
        const full = join(folder, path)
        mkdirSync(path.endsWith('/') ? full : dirname(full), { recursive: true })
        if (!path.endsWith('/')) writeFileSync(full, path)
      }
    },
    git(...args) {
      const who = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org']
      const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
      execFileSync('git', [...who, ...args], { cwd: folder, env, stdio: ['ignore', 'ignore', 'ignore'] })
    },
  }
}
