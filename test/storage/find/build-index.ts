/** Builds the index of the state folder in its argument, and prints the problem. */
import process from 'node:process'
import { openSessionFinder } from '../../../src/storage/find/finder.ts'

const finder = openSessionFinder(process.argv[2] ?? '', { isEager: true })
process.stdout.write(String(await finder.catchUp()))
finder.close()
