/** Runs after each test file. What the program still loads in the background would otherwise fail when vitest closes the file. */
import { afterAll, vi } from 'vitest'

afterAll(() => vi.dynamicImportSettled())
