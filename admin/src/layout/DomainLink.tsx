import { Link } from 'react-router'

interface DomainLinkProps {
  readonly id: string
  readonly fqdn: string
}

/** The domain of a row, with a link to its page. */
export const DomainLink = ({ id, fqdn }: DomainLinkProps) => (
  <Link to={`/domains/${id}/show`} className="row-link monospace breakable">
    {fqdn}
  </Link>
)
