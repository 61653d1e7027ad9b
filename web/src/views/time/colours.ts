// Parts of a model in the order of their colours: the same in the rows and in the roofline.

const order = ['feed_forward', 'embedding', 'attention', 'experts', 'mixer', 'head', 'norm', 'launches', 'router', 'shared_experts'];

/** A class of styles/charts.ts; parts without a colour of their own share one. */
export const colourOfPart = (part: string): string => {
  const at = order.indexOf(part);
  return at < 0 ? `c${order.length + 1}` : `c${at + 1}`;
};
