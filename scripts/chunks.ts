/**
 * Decides which modules of the bundle share a file. A start loads few files, and runs few functions of them: the first frame waits
 * for `cli`, `main` and `frame` only, and commands without the UI load neither React nor what draws.
 */
import type { CodeSplittingOptions, Plugin } from 'rolldown'

/** The modules that begin files. Their imports are in the same file or in one of an earlier module. */
const STARTS = [
  'bin/cli/print-help.ts',
  'bin/cli/run-command.ts',
  'bin/main.ts',
  'bin/boot/first-frame.ts',
  'bin/wiring/start/session-request.ts',
  'bin/boot/behind-frame.ts',
  'bin/wiring/answer-prompt.ts',
  'src/agents/transport/process.ts',
  'src/agents/zot/local-start.ts',
  'src/agents/zot/guard/guarded-launch.ts',
  'src/local-tools/local-tools.ts',
  'src/agents/zot/frame.ts',
  'src/agents/index.ts',
  'src/agents/switching.ts',
  'src/agent/event.ts',
  'bin/wiring/start/permissions.ts',
  'src/client.ts',
  'src/markdown/render.ts',
  'bin/wiring/print.ts',
  'bin/wiring/call-notes.ts',
  'src/commands/table.ts',
  'bin/ui.ts',
  'components/screen/ink-canvas.tsx',
] as const

/** Both follow the imports of the modules; the plugin has to be among those of the build. */
export function chunking(root: string): { plugin: Plugin; splitting: CodeSplittingOptions } {
  /** All modules that are loaded with each start. */
  const loaded = new Map<string, ReadonlySet<string>>()
  /** The modules that are loaded on demand. */
  let later: ReadonlySet<string> = new Set()

  const plugin: Plugin = {
    name: 'chunks',
    buildEnd() {
      const importsOf = (id: string): readonly string[] => this.getModuleInfo(id)?.importedIds ?? []
      for (const start of STARTS) loaded.set(start, closure([root + start], importsOf))
      const starts = new Set<string>(STARTS.map(start => root + start))
      const lazy = [...this.getModuleIds()].flatMap(id => this.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
      // What is in `components` belongs to the UI, also for the doctor, which reads the keys of the pages.
      later = closure(
        lazy.filter(id => !starts.has(id) && !id.startsWith(`${root}components/`)),
        importsOf,
      )
    },
  }
  const isIn = (start: string, id: string): boolean => loaded.get(start)?.has(id) === true
  const isFrame = (id: string): boolean => isIn('bin/boot/first-frame.ts', id)
  const isPrint = (id: string): boolean => isIn('bin/wiring/answer-prompt.ts', id) || isIn('bin/wiring/print.ts', id)
  const isGuard = (id: string): boolean =>
    isIn('src/agents/zot/guard/guarded-launch.ts', id) || isIn('src/local-tools/local-tools.ts', id)
  return {
    plugin,
    splitting: {
      groups: [
        {
          name: 'cli',
          priority: 10,
          test: id =>
            isIn('bin/main.ts', id) && (isIn('bin/cli/print-help.ts', id) || isIn('bin/cli/run-command.ts', id)),
        },
        // The table of the subcommands, for the help and for a first word.
        { name: 'commands', priority: 9.8, test: id => isIn('bin/cli/print-help.ts', id) },
        // Most starts do not need meow.
        { name: 'meow', priority: 9.5, test: id => id.includes('/node_modules/meow/') },
        { name: 'command', priority: 9, test: id => isIn('bin/cli/run-command.ts', id) },
        {
          name: 'main',
          priority: 7,
          test: id => isIn('bin/main.ts', id) || (isFrame(id) && isPrint(id)),
        },
        { name: 'frame', priority: 6, test: isFrame },
        // The session to resume, which such a start waits for.
        { name: 'resume', priority: 5.8, test: id => isIn('bin/wiring/start/session-request.ts', id) },
        // The steps that load the rest.
        { name: 'behind', priority: 5.7, test: id => isIn('bin/boot/behind-frame.ts', id) },
        // The steps without the UI.
        { name: 'answer', priority: 5.6, test: id => isIn('bin/wiring/answer-prompt.ts', id) },
        // Separate from the agents, because many commands validate data but talk to no agent.
        {
          name: 'zod',
          priority: 5.5,
          test: id =>
            id.includes('/node_modules/zod/') ||
            id === `${root}src/agents/transport/lenient.ts` ||
            id === `${root}src/agent/schema-reader.ts`,
        },
        // The agents in pieces, so that keys are handled in between.
        { name: 'child', priority: 5.4, test: id => isIn('src/agents/transport/process.ts', id) },
        // Starts zot, without the guard and without the protocol.
        {
          name: 'launch',
          priority: 5.35,
          test: id =>
            isIn('src/agents/zot/local-start.ts', id) ||
            (isGuard(id) && (isIn('src/agents/index.ts', id) || isPrint(id))),
        },
        { name: 'guard', priority: 5.32, test: isGuard },
        { name: 'wire', priority: 5.3, test: id => isIn('src/agents/zot/frame.ts', id) },
        {
          name: 'agent',
          priority: 5,
          test: id => isIn('src/agents/index.ts', id) || isIn('src/agents/switching.ts', id),
        },
        // Separate from the agents of the library.
        { name: 'event', priority: 4.8, test: id => isIn('src/agent/event.ts', id) },
        // Read before the first agent starts, with what both `-p` and the drawing of Markdown need: `-p` draws none.
        {
          name: 'permissions',
          priority: 4.5,
          test: id =>
            isIn('bin/wiring/start/permissions.ts', id) ||
            (isIn('src/markdown/render.ts', id) && isIn('bin/wiring/print.ts', id)),
        },
        { name: 'client', priority: 4, test: id => isIn('src/client.ts', id) },
        { name: 'markdown', priority: 3.5, test: id => isIn('src/markdown/render.ts', id) },
        { name: 'print', priority: 3, test: id => isIn('bin/wiring/print.ts', id) },
        // The conversation as lines: the UI prints them too.
        { name: 'transcript', priority: 2.5, test: id => isIn('bin/wiring/call-notes.ts', id) },
        // Read without the UI only to see which names are taken.
        {
          name: 'slash',
          priority: 2.2,
          test: id => id.startsWith(`${root}src/commands/`) && isIn('src/commands/table.ts', id),
        },
        // Without React, since others load it too.
        { name: 'shared', priority: 2, test: id => isIn('bin/ui.ts', id) && later.has(id) },
        { name: 'ui', priority: 1, test: id => isIn('bin/ui.ts', id) },
        // The components of the pages are loaded with the others.
        {
          name: 'ink',
          priority: 0,
          test: id => isIn('components/screen/ink-canvas.tsx', id) || id.startsWith(`${root}components/pages/`),
        },
      ],
    },
  }
}

/** The modules, and all that they import. */
function closure(from: readonly string[], importsOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [...from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    open.push(...importsOf(id))
  }
  return found
}
