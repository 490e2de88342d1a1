package shop;

import dev.downbeat.load.Load;

/** What is on the class path is what a team would have. */
final class Try {
    private Try() {}

    public static void main(String[] args) {
        System.out.println(Load.class.getName());
    }
}
