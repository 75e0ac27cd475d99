/**
 * The icons, drawn on a grid of 24 in lines of 1.75. Plain SVG: a table shows hundreds of them, and
 * a styled component for each costs more than the row around it.
 */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  back: 'M20 12H5m6-6-6 6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M9 9.5A1.5 1.5 0 0 1 10.5 8h7A1.5 1.5 0 0 1 19 9.5v9a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 9 18.5zM5 15.5v-10A1.5 1.5 0 0 1 6.5 4H14',
  dark: 'M19.5 14.2A7.8 7.8 0 0 1 9.8 4.5a7.8 7.8 0 1 0 9.7 9.7z',
  document: 'M7 4h7l4 4v12H7zM14 4v4h4M9.5 12.5h6M9.5 16h6',
  down: 'M12 6v12m-5-5 5 5 5-5',
  edit: 'M4.5 19.5h4L19 9l-4-4L4.5 15.5zM12.5 7.5l4 4',
  expand: 'm6 9.5 6 6 6-6',
  failure: 'M12 8v4.5m0 3v.1M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  forward: 'M4 12h15m-6-6 6 6-6 6',
  hide: 'M4 4l16 16M9.9 5.7A9.5 9.5 0 0 1 12 5.5c5 0 8.5 4.5 9.5 6.5-.5 1-1.6 2.7-3.3 4.1M6 7.6C4.2 9 3 10.9 2.5 12c1 2 4.5 6.5 9.5 6.5 1.6 0 3-.4 4.2-1.1M10 10a2.8 2.8 0 0 0 4 4',
  info: 'M12 11v5m0-8v.1M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  home: 'M4.5 11.5 12 5l7.5 6.5M6.5 10v9.5h11V10M10 19.5V14h4v5.5',
  key: 'M14.5 4.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 13l-6.5 6.5V20H7.5v-2h2v-2M15.8 8.2v.1',
  keyboard:
    'M4.5 6.5h15A1.5 1.5 0 0 1 21 8v8a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16V8a1.5 1.5 0 0 1 1.5-1.5zM7 10v.1M10.3 10v.1M13.7 10v.1M17 10v.1M7 14v.1M17 14v.1M10 14h4',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3 7 7M17 17l1.7 1.7M18.7 5.3 17 7M7 17l-1.7 1.7',
  logout:
    'M10 4.5H6.5A1.5 1.5 0 0 0 5 6v12a1.5 1.5 0 0 0 1.5 1.5H10M10 12h10m-3.5-3.5L20 12l-3.5 3.5',
  pause: 'M9 6v12M15 6v12',
  remove: 'M5 7h14M10 7V4.5h4V7M7 7l.7 12.5h8.6L17 7M10.5 10.5v5.5M13.5 10.5v5.5',
  rotate: 'M19 12a7 7 0 1 1-2.2-5.1L19 9M19 4.5V9h-4.5',
  router:
    'M5 13.5h14a1.5 1.5 0 0 1 1.5 1.5v3a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18v-3A1.5 1.5 0 0 1 5 13.5zM7 16.5v.1M10 16.5v.1M16.5 13.5V9M13.5 6.5a4.2 4.2 0 0 1 6 0',
  search: 'M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l4.5 4.5',
  settings:
    'M4 7.5h7M15 7.5h5M13 5.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM4 16.5h3M11 16.5h9M9 14.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  show: 'M2.5 12c1-2 4.5-6.5 9.5-6.5S20.5 10 21.5 12c-1 2-4.5 6.5-9.5 6.5S3.5 14 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
  success: 'm8 12.3 2.8 2.7L16 9.5M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  system: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 4v16M12 8h6.5M12 12h8M12 16h6.5',
  unknown:
    'M9.6 9.7a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1.1.8-1.1 1.6m0 2.3v.1M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  up: 'M12 18V6m-5 5 5-5 5 5',
  wait: 'M12 8v4.3l2.8 1.7M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  warning: 'M12 9.5v4m0 3v.1M12 4.5 21 19.5H3z',
} as const

export type IconName = keyof typeof PATHS

interface IconProps {
  readonly name: IconName
  /** In pixels. */
  readonly size?: number
}

/** A decorative icon beside text, or in a control that has a label. */
export function Icon({ name, size = 18 }: IconProps) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
