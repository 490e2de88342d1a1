package dev.downbeat.answers;

/** Prints how often each answer is wrong, as a table: {@code AnswerTableMain 'REGEX' RUNS}. */
final class AnswerTableMain {
    private AnswerTableMain() {}

    public static void main(String... arguments) {
        System.out.println(AnswerCount.head());
        Answers.all()
                .filter(answer -> answer.toString().matches(arguments[0]))
                .forEach(answer -> System.out.println(
                        AnswerCount.of(answer, Integer.parseInt(arguments[1])).line()));
    }
}
