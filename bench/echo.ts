/** The floor of an echo: a program that only writes back each key. */
import process from 'node:process'

process.stdin.setRawMode(true)
process.stdin.on('data', key => process.stdout.write(key))
process.stdout.write('ready')
