import process from 'node:process'
import { print } from '../standard-streams.ts'
import { helpText } from './help.ts'
import { endWithOutput } from './output-end.ts'

/** Prints the help of the program. */
export function printHelp(): void {
  endWithOutput(process.stdout)
  print(helpText())
}
