/** Commands that print something and end. */
import { median, type Figure } from '../figures.ts'
import type { Program } from '../program.ts'
import type { Stage } from '../stage.ts'

const RUNS = 21
const COMMANDS = [['--version'], ['--help'], ['completion', 'bash']]

/** The time from the start of each command to its end. */
export async function commands(stage: Stage): Promise<Figure[]> {
  const times = COMMANDS.map((): number[] => [])
  const floors: number[] = []
  // The first run of each fills the compile cache.
  for (const command of COMMANDS) await duration(stage.command(command))
  // Alternately, so that other work of the machine affects all of them.
  for (let run = 0; run < RUNS; run += 1) {
    floors.push(await duration(stage.node(['-e', 'process.stdout.write("x")'])))
    for (const [index, command] of COMMANDS.entries()) times[index]?.push(await duration(stage.command(command)))
  }
  const floor = median(floors)
  return COMMANDS.map((command, index) => ({
    name: command.join(' '),
    unit: 'ms',
    value: median(times[index] ?? []),
    floor,
  }))
}

async function duration(program: Program): Promise<number> {
  return (await program.ended) - program.startedAt
}
