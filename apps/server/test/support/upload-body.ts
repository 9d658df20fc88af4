/** A body with a file, as a route declares it (`upload`). `TestClient` sends it in its form. */
export class UploadBody {
  readonly contentType: string
  readonly payload: Buffer

  private constructor(contentType: string, payload: Buffer) {
    this.contentType = contentType
    this.payload = payload
  }

  /** The body is the file. */
  static stream(mediaType: string, content: Uint8Array): UploadBody {
    return new UploadBody(mediaType, Buffer.from(content))
  }

  /** The part `file` after text fields. */
  static multipart(
    fields: Readonly<Record<string, unknown>>,
    file: { readonly mediaType: string; readonly name: string; readonly content: Uint8Array },
  ): UploadBody {
    const parts = Object.entries(fields).map(
      ([name, value]) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
    )
    const head = `--edge\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: ${file.mediaType}\r\n\r\n`
    const payload = Buffer.concat([Buffer.from(parts.join('') + head), file.content, Buffer.from('\r\n--edge--\r\n')])
    return new UploadBody('multipart/form-data; boundary=edge', payload)
  }
}
