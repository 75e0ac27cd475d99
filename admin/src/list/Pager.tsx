import Button from '@mui/material/Button'
import { useListContext } from 'react-admin'
import { count } from '@homing/theme/formats'

const PAGE_SIZES = [25, 50, 100]

/** The current range of the list, and the buttons to other pages. */
export function Pager() {
  const { page, perPage, total, data, setPage, setPerPage } = useListContext()
  if (total === undefined || total === 0 || data === undefined) return null
  const first = (page - 1) * perPage + 1
  const last = first + data.length - 1
  const pages = Math.ceil(total / perPage)
  return (
    <nav className="pager" aria-label="Pages">
      <label className="pager-size">
        Rows
        <select value={perPage} onChange={({ target }) => setPerPage(Number(target.value))}>
          {PAGE_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <span className="pager-place" role="status">
        {count(first)}–{count(last)} of {count(total)}
      </span>
      <Button
        variant="outlined"
        color="inherit"
        disabled={page <= 1}
        onClick={() => setPage(page - 1)}
      >
        Previous
      </Button>
      <Button
        variant="outlined"
        color="inherit"
        disabled={page >= pages}
        onClick={() => setPage(page + 1)}
      >
        Next
      </Button>
    </nav>
  )
}
