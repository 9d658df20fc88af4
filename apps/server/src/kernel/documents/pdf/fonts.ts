/** The open fonts of PDF files, embedded as the glyphs that a file uses: paths that pdfkit reads. Tested in modules/platform/reports/pdf.test.ts. */
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)
const family = '@expo-google-fonts/noto-sans'

/** @throws Error where the files of the package are missing */
export const fonts = () => ({
  regular: resolve(`${family}/400Regular/NotoSans_400Regular.ttf`),
  bold: resolve(`${family}/700Bold/NotoSans_700Bold.ttf`),
})
