/** Runs what the arguments say: a command, the help, a conversation in the background, or the program. */
import process from 'node:process'

export { reportSilent } from './wiring/start/check-storage.ts'

/** @param argv the arguments after the name of the program */
export async function dispatch(argv: readonly string[]): Promise<void> {
  const first = argv[0] ?? ''
  // Most starts have no word, and then the table of commands is not loaded.
  const command = /^(?:-|$)/.test(first) ? null : (await import('./cli/commands.ts')).findCommand(first)
  if (command) {
    const { runCommand } = await import('./cli/run-command.ts')
    await runCommand(command, argv.slice(1))
  } else if (argv.length === 1 && (first === '--help' || first === '-h')) {
    // The help alone needs no settings and no agent.
    const { printHelp } = await import('./cli/print-help.ts')
    printHelp()
  } else if (first === 'hold-conversation' && process.send) {
    const { holdConversation } = await import('./wiring/background/process.ts')
    await holdConversation()
  } else if (first === 'serve-conversations' && process.send) {
    const { serveForParent } = await import('./wiring/serve/child.ts')
    await serveForParent()
  } else {
    const { main } = await import('./main.ts')
    await main([...argv])
  }
}
