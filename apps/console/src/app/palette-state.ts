/** Opens and closes the palette from anywhere. */
export const paletteEvent = 'parapet-palette'

export const openPalette = (): void => void window.dispatchEvent(new Event(paletteEvent))
