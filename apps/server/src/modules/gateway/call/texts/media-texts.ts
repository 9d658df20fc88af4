/**
 * The texts of pictures, sound and files: their addresses and names, their content if it is text, and text in the place
 * of a media type or the id of a stored file. Only bytes are not inspected. Pure. Tested in media-texts.test.ts.
 */
import type { AudioPart, FilePart, ImagePart, MediaSource } from '../call.ts'
import { readDataUrl } from './data-url.ts'
import { dataUrlOf, textOfDataUrl } from './embedded-text.ts'
import { isMadeId } from './ids.ts'

type Look = (location: string, text: string) => string

export interface Looks {
  readonly plain: Look
  /** For texts that cannot be replaced. */
  readonly fixed: Look
}

/** Embedded pixels are not text; an address is, and so is text sent as an image. */
export function mapImage(part: ImagePart, at: string, looks: Looks): ImagePart {
  const { url } = part
  const { plain } = looks
  if (readDataUrl(url)?.hasData !== true) return { ...part, url: plain(at, url) }
  const shown = textOfDataUrl(url)
  if (shown === null) return { ...part, url: mapHead(url, at, looks) }
  const said = plain(at, shown)
  return said === shown ? part : { ...part, url: dataUrlOf(said) }
}

export function mapAudio(part: AudioPart, at: string, looks: Looks): AudioPart {
  return { ...part, source: mapSource(part.source, at, looks), mime: mapType(part.mime, at, looks) }
}

export function mapFile(part: FilePart, at: string, looks: Looks): FilePart {
  const text = part.text === null ? null : looks.plain(at, part.text)
  // Content removed from the text is still in the bytes it was read from.
  const source = part.source === null || text !== part.text ? null : mapSource(part.source, at, looks)
  return {
    ...part,
    name: part.name === null ? null : looks.plain(at, part.name),
    mime: part.mime === null ? null : mapType(part.mime, at, looks),
    text,
    source,
  }
}

function mapSource(source: MediaSource, at: string, { plain, fixed }: Looks): MediaSource {
  switch (source.kind) {
    case 'url':
      return { ...source, url: plain(at, source.url) }
    case 'id':
      return isMadeId(source.id) ? source : { ...source, id: fixed(at, source.id) }
    default:
      return source
  }
}

/**
 * A detector takes digits after a slash for the path of an address, so the part after the slash is inspected
 * separately.
 */
function mapType(mime: string, at: string, { fixed }: Looks): string {
  if (knownTypes.test(mime)) return mime
  const [, main = '', sub = mime] = /^((?:application|audio|image|text|video)\/)(.*)$/s.exec(mime) ?? []
  return `${main}${fixed(at, sub)}`
}

/** The part of a data URL before the data: the type and any parameters. */
function mapHead(url: string, at: string, looks: Looks): string {
  const comma = url.indexOf(',')
  const [, start = '', type = '', beside = ''] = /^(data:)([^;]*)(.*)$/is.exec(url.slice(0, comma)) ?? []
  const shown = beside === ';base64' ? beside : looks.fixed(at, beside)
  return `${start}${mapType(type, at, looks)}${shown}${url.slice(comma)}`
}

/** Common media types; others are inspected, since any text can be written like one. */
const knownTypes = new RegExp(
  `^(?:${[
    'image/(?:apng|avif|bmp|gif|heic|heif|jpe?g|png|svg\\+xml|tiff|webp|x-icon)',
    'audio/(?:x-)?(?:aac|aiff|flac|g711-[au]law|m4a|mp3|mp4|mpeg|mpga|ogg|opus|pcm16|wave?|webm)',
    'video/(?:3gpp|avi|flv|mp4|mpeg|mpegps|mpg|mov|quicktime|webm|wmv|x-flv|x-matroska|x-ms-wmv)',
    'text/(?:calendar|css|csv|html|javascript|markdown|plain|rtf|tab-separated-values|x-[a-z+-]{1,20}|xml|yaml)',
    'application/(?:csv|epub\\+zip|gzip|javascript|json|ld\\+json|msword|octet-stream|pdf|rtf|sql|toml|typescript|xml|yaml|zip)',
    'application/x-(?:javascript|ndjson|python|python-code|sh|yaml)',
    'application/vnd\\.ms-(?:excel|powerpoint|word|outlook)',
    'application/vnd\\.oasis\\.opendocument\\.(?:presentation|spreadsheet|text)',
    'application/vnd\\.openxmlformats-officedocument\\.(?:presentationml\\.presentation|spreadsheetml\\.sheet|wordprocessingml\\.document)',
    'message/rfc822',
  ].join('|')})$`,
)
