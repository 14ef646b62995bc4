/** Whether a theme is asked for by the path of its file, not by its name. */
export function isThemeFile(wanted: string): boolean {
  return /[/\\]|\.json$/i.test(wanted)
}
