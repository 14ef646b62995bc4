/** The ways to move on any screen that has more rows than are seen. */
export type ScrollMove = 'up' | 'down' | 'page_up' | 'page_down' | 'half_up' | 'half_down' | 'top' | 'bottom'
