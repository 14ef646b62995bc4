/** The moves on every screen that scrolls. */
export type ScrollMove = 'up' | 'down' | 'page_up' | 'page_down' | 'half_up' | 'half_down' | 'top' | 'bottom'
