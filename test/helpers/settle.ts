/**
 * Runs for each test file, also where several share a process: a hook in a module of theirs would be there for the first only.
 * What a test has opened is closed after it. What the program still loads in the background would otherwise fail when vitest closes
 * the file.
 */
import { afterAll, afterEach, vi } from 'vitest'
import { closeOpened } from './opened.ts'

afterEach(closeOpened)
afterAll(() => vi.dynamicImportSettled())
