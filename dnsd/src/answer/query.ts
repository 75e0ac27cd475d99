/** A question of class IN for the zones. */
export interface Query {
  /** Wire form, in the client's letter case. */
  readonly qname: Buffer
  readonly qtype: number
}
