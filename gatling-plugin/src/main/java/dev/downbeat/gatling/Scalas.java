package dev.downbeat.gatling;

import java.util.ArrayList;
import java.util.List;
import scala.jdk.javaapi.CollectionConverters;

/** Lists of the one language as lists of the other. */
final class Scalas {
    private Scalas() {}

    static <A> scala.collection.immutable.List<A> scala(List<A> list) {
        return CollectionConverters.asScala(list).toList();
    }

    static <A> List<A> java(scala.collection.Iterable<A> list) {
        return new ArrayList<>(CollectionConverters.asJavaCollection(list));
    }
}
