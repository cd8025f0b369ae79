/** What the model's words announce, in the three senses that the detector asks for. */
export interface TextSignals {
  /** It sets out to look around. */
  readonly explores: boolean;
  /** It names a cause, or suspects one. */
  readonly diagnoses: boolean;
  /** It sets out to check a change. */
  readonly verifies: boolean;
}

const intent =
  "(?:let me|let's|let us|i(?:'ll|'m going to| will| want to| need to| should| have to)|first,?)";
const look =
  "(?:look|explore|examine|find|search|browse|understand|locate|list|inspect|read|view|see|check|investigate|identify)";

const exploring = new RegExp(`\\b${intent} (?:\\w+ )?(?:start by )?${look}(?:ing)?\\b`, "i");

const diagnosing =
  /\b(?:root cause|culprit|smoking gun|hypothes[ei]s|diagnos\w*|i suspect|caused by|(?:this|that) explains|the reason (?:is|why)|the (?:bug|issue|problem|error|fault) (?:is|lies|occurs|comes|stems|seems|must be))\b/i;

const verifying =
  /\b(?:verif(?:y|ies|ied|ying)|double[- ]check|make sure|confirm\w* (?:that )?(?:the |my |our )?(?:fix|change|patch)|run (?:the )?(?:existing |full |unit |related |relevant )*tests?|test (?:the|my|our) (?:fix|change|patch)|regressions?|sanity check)\b/i;

export function textSignals(text: string): TextSignals {
  return {
    explores: exploring.test(text),
    diagnoses: diagnosing.test(lastParagraph(text)),
    verifies: verifying.test(text),
  };
}

/** What leads up to the command: a cause named further up has been dealt with (our choice). */
function lastParagraph(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf("\n\n") + 1);
}
