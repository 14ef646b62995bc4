import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import { createLocalTools } from '../../src/local-tools/local-tools.ts'
import type { RunOptions } from '../../src/local-tools/tool.ts'

/** A real folder with its tools, and another one beside it that they must not reach. Both go with the test. */
export function project(files: Record<string, string | Buffer> = {}) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-tools-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const folder = join(top, 'project')
  const outside = join(top, 'outside')
  mkdirSync(folder)
  mkdirSync(outside)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const tools = createLocalTools({ folder, env: process.env })
  return {
    top,
    folder,
    outside,
    tools,
    at: (name: string) => join(folder, name),
    pipe: (name: string) => execFileSync('mkfifo', [join(folder, name)]),
    /** The text of the answer, with the mark of an error. */
    run: async (tool: string, args: unknown, options?: RunOptions): Promise<string> => {
      const { content, isError } = await tools.run(tool, args, options)
      const words = content.map(part => (part.type === 'text' ? part.text : `[${part.mimeType}]`)).join('')
      return (isError ? `error: ${words}` : words).replaceAll(folder, 'PROJECT').replaceAll(outside, 'OUTSIDE')
    },
  }
}
