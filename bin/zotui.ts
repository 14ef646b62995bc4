#!/usr/bin/env node
// This file runs on any Node, to say which one is needed. So it imports nothing by name that an old Node may lack.
import * as nodeModule from 'node:module'
import process from 'node:process'
import { useLessMemory } from './less-memory.ts'

const NEEDED = 22
/** The flags of a program that ends soon. */
const WITHOUT_UI = new Set(['-p', '--print', '-v', '--version', '-h', '--help'])

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(`zotui needs Node ${NEEDED} or newer; this is Node ${process.versions.node}.\n`)
  process.exit(1)
}
// With an empty HOME Node would use the current folder. Without the variable it asks the system.
if (process.env['HOME'] === '') delete process.env['HOME']
const argv = process.argv.slice(2)
const first = argv[0] ?? ''
const isHelp = argv.length === 1 && (first === '--help' || first === '-h')
const hasWord = !/^(?:-|$)/.test(first)
// Only the UI runs for long. This comes first, since finding the cache folder already starts the optimizing compiler.
if (!hasWord && !argv.some(word => WITHOUT_UI.has(word))) useLessMemory()
const { compileCacheFolder } = await import('./compile-cache.ts')
const cache = await compileCacheFolder()
if (cache !== null) nodeModule.enableCompileCache?.(cache)
// An argument may be a key or a private prompt, and every user can read the list of processes.
process.title = 'zotui'
// Most starts have no word, and then the table of commands is not loaded.
const command = hasWord ? (await import('./cli/commands.ts')).findCommand(first) : null
if (command) {
  const { runCommand } = await import('./cli/run-command.ts')
  await runCommand(command, argv.slice(1))
} else if (isHelp) {
  // The help alone needs no settings and no agent.
  const { printHelp } = await import('./cli/print-help.ts')
  printHelp()
} else if (first === 'hold-conversation' && process.send) {
  const { holdConversation } = await import('./wiring/held/process.ts')
  await holdConversation()
} else {
  const { main } = await import('./main.ts')
  await main(argv)
}
