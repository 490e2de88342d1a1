/** How do I measure code of my own? One call from a plan in the user's words to a judged result. */
@NullMarked
package dev.downbeat.load;

import org.jspecify.annotations.NullMarked;
